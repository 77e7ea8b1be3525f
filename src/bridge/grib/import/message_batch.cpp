// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/import/message_batch.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace tgmap::bridge::grib {

bool growing_buffer::reserve(std::uint64_t bytes, std::size_t used) noexcept {
  if (bytes <= capacity_) return true;
  if (bytes > PTRDIFF_MAX) return false;
  std::unique_ptr<std::byte[]> larger(new (std::nothrow) std::byte[static_cast<std::size_t>(bytes)]);
  if (!larger) return false;
  if (used != 0) std::memcpy(larger.get(), memory_.get(), used);
  memory_ = std::move(larger);
  capacity_ = static_cast<std::size_t>(bytes);
  return true;
}

namespace {

/// Returns the number of fields of a message; 1 for other ranges and for messages that cannot be read.
std::size_t count_fields(const finding& range) noexcept {
  if (range.message.empty()) return 1;
  failure why;
  return std::max<std::size_t>(field_reader(range.message, range.offset, why).size(), 1);
}

}  // namespace

void batch_reader::begin_input(std::size_t number) {
  input_ = number;
  scan_ = finding_scan(options_);
  is_complete_ = false;
  offset_ = 0;
  begin_ = end_;
}

/// Keeps the bytes from the first one that the scan still needs on.
void batch_reader::keep_tail(message_batch& of) {
  const auto from = std::min<std::uint64_t>(scan_.keep_from() - offset_, end_ - begin_);
  const std::byte* const bytes = of.memory.data() + begin_;
  tail_.assign(bytes + from, bytes + (end_ - begin_));
  offset_ += from;
}

/// Reads bytes of the current input. A batch that has messages is never moved in memory: it is full then.
batch_reader::outcome batch_reader::read_more(message_batch& out, failure& why) {
  growing_buffer& memory = out.memory;
  // The memory may be that of a longer batch.
  if (has_message_ && end_ >= batch_bytes_) return outcome::full;
  if (end_ == memory.capacity()) {
    if (has_message_) return outcome::full;
    // Bytes before those that the scan needs are given up, before the memory grows.
    const auto unused = std::min<std::uint64_t>(scan_.keep_from() - offset_, end_ - begin_);
    const std::size_t kept = end_ - begin_ - static_cast<std::size_t>(unused);
    if (kept != 0) std::memmove(memory.data(), memory.data() + begin_ + unused, kept);
    offset_ += unused;
    begin_ = 0;
    end_ = kept;
    if (kept > memory.capacity() / 2 && !memory.reserve(std::uint64_t{memory.capacity()} * 2, kept)) {
      why = {.code = tgmap::errc::out_of_memory, .found = std::uint64_t{memory.capacity()} * 2};
      return outcome::failed;
    }
  }
  // The memory may be that of a long message: what is read ahead of the scan stays short.
  constexpr std::size_t max_read = std::size_t{1} << 20U;
  const std::size_t room = std::min(memory.capacity() - end_, max_read);
  const std::size_t count = inputs_[input_]->read(std::span(memory.data() + end_, room), why);
  if (why) return outcome::failed;
  is_complete_ = count == 0;
  end_ += count;
  out.bytes += count;
  return outcome::go_on;
}

bool batch_reader::next(message_batch& out, failure& why) {
  why = {};
  out.entries.clear();
  out.bytes = 0;
  has_message_ = false;
  begin_ = 0;
  end_ = tail_.size();
  const std::uint64_t wanted = std::max<std::uint64_t>({batch_bytes_, 4096, end_});
  if (!out.memory.reserve(wanted, 0)) {
    why = {.code = tgmap::errc::out_of_memory, .found = wanted};
    return false;
  }
  if (!tail_.empty()) std::memcpy(out.memory.data(), tail_.data(), tail_.size());
  tail_.clear();

  std::size_t fields = 0;
  while (input_ < inputs_.size()) {
    if (fields >= max_batch_fields) {
      keep_tail(out);
      return true;
    }
    batch_entry entry{.input = input_};
    const byte_view window(out.memory.data() + begin_, end_ - begin_);
    const auto found = scan_.step(window, offset_, is_complete_, entry.range);
    if (found == finding_scan::outcome::finding) {
      if (entry.range.message.empty()) entry.what = batch_entry::kind::skipped;
      has_message_ = has_message_ || entry.what == batch_entry::kind::message;
      fields += count_fields(entry.range);
      out.entries.push_back(entry);
      continue;
    }
    if (found == finding_scan::outcome::end) {
      begin_input(input_ + 1);
      continue;
    }
    failure of_input;
    const outcome read = read_more(out, of_input);
    if (read == outcome::go_on) continue;
    if (read == outcome::full) {
      keep_tail(out);
      return true;
    }
    if (of_input.code == tgmap::errc::out_of_memory) {
      why = of_input;
      return false;
    }
    entry.what = batch_entry::kind::input_failed;
    entry.range.why = of_input;
    out.entries.push_back(entry);
    begin_input(input_ + 1);
  }
  return !out.entries.empty() || out.bytes != 0;
}

}  // namespace tgmap::bridge::grib
