// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/sections/message_finder.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <string_view>

#include "bridge/grib/sections/message_header.hpp"
#include "bridge/grib/sections/section_failure.hpp"

namespace tgmap::bridge::grib {

namespace {

constexpr std::string_view magic = "GRIB";
constexpr std::size_t first_capacity = std::size_t{256} << 10U;

// Returns the position of the next "GRIB", or the size of the bytes.
std::size_t find_magic(byte_view bytes, std::size_t from) noexcept {
  if (bytes.size() - from < magic.size()) return bytes.size();
  const void* const found = ::memmem(bytes.data() + from, bytes.size() - from, magic.data(), magic.size());
  return found == nullptr ? bytes.size()
                          : static_cast<std::size_t>(static_cast<const std::byte*>(found) - bytes.data());
}

}  // namespace

// The bytes from a "GRIB" on are a message of `size` bytes, a damaged message, no message, or not known before `need`
// bytes are there.
struct finding_scan::verdict {
  std::uint64_t size = 0;
  std::uint64_t need = 0;
  failure why{};
};

finding_scan::verdict finding_scan::judge(byte_view bytes, std::uint64_t offset, bool is_complete) const noexcept {
  const message_header header = read_message_header(bytes);
  switch (header.found) {
    case message_header::kind::not_grib: return {};
    case message_header::kind::impossible: return {0, 0, make_failure(errc::bad_indicator, offset, 0, header.size)};
    case message_header::kind::message:
      if (header.size > options_.max_message_bytes)
        return {0, 0, make_failure(errc::message_too_large, offset, options_.max_message_bytes, header.size)};
      break;
    case message_header::kind::incomplete:
      if (is_complete && header.edition == 0) return {};  // too short for an edition
      break;
  }
  if (header.size > bytes.size()) {
    if (!is_complete) return {0, header.size, {}};
    return {0, 0, make_failure(errc::message_truncated, offset, header.size, bytes.size())};
  }
  if (std::memcmp(bytes.data() + header.size - 4, "7777", 4) != 0)
    return {0, 0, make_failure(errc::no_end_marker, offset, header.size, 0)};
  return {header.size, 0, {}};
}

finding_scan::outcome finding_scan::step(byte_view window, std::uint64_t offset, bool is_complete,
                                         finding& out) noexcept {
  const std::uint64_t window_end = offset + window.size();
  // The range before a message, or before something damaged, is a finding of its own.
  const auto emit_until = [&](std::uint64_t end) {
    out = {begin_, end - begin_, {}, why_};
    begin_ = end;
    why_ = {};
    return outcome::finding;
  };
  const auto emit_message = [&] {
    out = {begin_, message_, window.subspan(begin_ - offset, message_), {}};
    begin_ = search_ = begin_ + message_;
    message_ = 0;
    return outcome::finding;
  };
  if (message_ != 0) return emit_message();

  for (;;) {
    const std::size_t at = find_magic(window, search_ - offset);
    if (at == window.size()) {
      if (!is_complete) {
        search_ = std::max(search_, window_end - std::min<std::uint64_t>(window.size(), magic.size() - 1));
        need_until_ = window_end + 1;
        return outcome::need_bytes;
      }
      search_ = window_end;
      return begin_ == window_end ? outcome::end : emit_until(window_end);
    }
    search_ = offset + at;
    const verdict found = judge(window.subspan(at), search_, is_complete);
    if (found.need != 0) {
      need_until_ = search_ + found.need;
      return outcome::need_bytes;
    }
    const std::uint64_t here = search_;
    if (found.size != 0) {
      message_ = found.size;
      return here == begin_ ? emit_message() : emit_until(here);
    }
    search_ = here + magic.size();
    if (!found.why) continue;
    const bool is_new_range = here != begin_;
    if (is_new_range) {
      emit_until(here);
      why_ = found.why;
      return outcome::finding;
    }
    why_ = found.why;
  }
}

bool stream_finder::next(finding& out, failure& why) {
  why = {};
  for (;;) {
    switch (scan_.step(byte_view(buffer_.get() + begin_, end_ - begin_), offset_, is_complete_, out)) {
      case finding_scan::outcome::finding: return true;
      case finding_scan::outcome::end: return false;
      case finding_scan::outcome::need_bytes:
        do {
          if (!read_more(why)) return false;
        } while (!is_complete_ && offset_ + (end_ - begin_) < scan_.need_until());
    }
  }
}

bool stream_finder::read_more(failure& why) {
  const auto unneeded = static_cast<std::size_t>(scan_.keep_from() - offset_);
  begin_ += unneeded;
  offset_ += unneeded;
  if (end_ == capacity_) {
    // Bytes move only after as many were read, so that moving takes linear time. The buffer grows with the bytes that
    // came, not with the length that a message states.
    const std::size_t kept = end_ - begin_;
    if (kept > capacity_ / 2 || capacity_ == 0) {
      const std::size_t larger = std::max(first_capacity, 2 * capacity_);
      std::unique_ptr<std::byte[]> next(new (std::nothrow) std::byte[larger]);
      if (!next) {
        why.code = tgmap::errc::out_of_memory;
        return false;
      }
      if (kept != 0) std::memcpy(next.get(), buffer_.get() + begin_, kept);
      buffer_ = std::move(next);
      capacity_ = larger;
    } else if (kept != 0) {
      std::memmove(buffer_.get(), buffer_.get() + begin_, kept);
    }
    begin_ = 0;
    end_ = kept;
  }
  const std::size_t count = read_(std::span(buffer_.get() + end_, capacity_ - end_), why);
  if (why) return false;
  end_ += count;
  is_complete_ = count == 0;
  return true;
}

}  // namespace tgmap::bridge::grib
