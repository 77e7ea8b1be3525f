// SPDX-License-Identifier: Apache-2.0
#include "validate/message_bytes.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <tgmap/mapping_guard.hpp>

namespace tgmap::validation {

namespace {

constexpr std::uint64_t page = 4096;
constexpr std::size_t window_step = 512;        // read at a time of messages that are not small, within one page
constexpr std::size_t hash_step = 256 << 10;    // hashed at a time; fits into the second level cache
constexpr std::size_t max_kept_copy = 1 << 20;  // larger copies are freed with their message

struct state_deleter {
  void operator()(XXH3_state_t* state) const noexcept { XXH3_freeState(state); }
};

}  // namespace

void message_bytes::set_archive(const archive& source, bool with_payloads) noexcept {
  archive_ = &source;
  is_mapped_ = source.is_in_memory() ||
               (source.mode() == io_mode::map && source.options().guard != guard_use::never && detail::offer_guard());
  with_payloads_ = with_payloads;
  small_size_ = with_payloads ? 16 << 10 : 4 << 10;  // reading a page costs as much as reading a part of it
  window_at_ = window_size_ = offset_ = size_ = 0;
}

failure message_bytes::copy(std::uint64_t from, std::span<std::byte> out) const {
  failure why;
  // For a missing page of a mapping the kernel also reads the pages around it, which are payloads in large messages.
  if (!is_mapped_ || (!with_payloads_ && size_ > small_size_)) {
    archive_->read(from, out, why);
    return why;
  }
  const std::byte* const bytes = mapping_ + (from - offset_);
  return mapping_guard::run([&]() noexcept { std::memcpy(out.data(), bytes, out.size()); });
}

failure message_bytes::move_window(std::uint64_t from, std::uint64_t size) {
  window_size_ = 0;
  failure why = copy(from, std::span(window_).first(static_cast<std::size_t>(size)));
  if (why) return why;
  window_at_ = from;
  window_size_ = size;
  return why;
}

failure message_bytes::move_window_around(std::uint64_t from, std::size_t n) {
  const std::uint64_t page_end = (from + n + page - 1) / page * page;
  return move_window(from, std::min({std::uint64_t{window_step}, page_end - from, offset_ + size_ - from}));
}

failure message_bytes::open(const tgmap::message& message, std::uint64_t until) {
  failure why;
  if (loaded_.capacity() > max_kept_copy) loaded_ = {};
  offset_ = message.offset();
  size_ = message.length();
  if (is_mapped_) mapping_ = message.bytes(why).data();
  if (why || size_ > small_size_ || is_buffered()) return why;
  return move_window(offset_, std::min<std::uint64_t>(window_capacity, until - offset_));
}

std::span<const std::byte> message_bytes::load(std::uint64_t at, std::uint64_t n, failure& why) {
  const auto size = static_cast<std::size_t>(n);
  if (is_buffered()) return buffered().subspan(static_cast<std::size_t>(at), size);
  if (loaded_.size() < size) loaded_.resize(size);
  why = copy(offset_ + at, std::span(loaded_).first(size));
  return why ? std::span<const std::byte>() : std::span<const std::byte>(loaded_).first(size);
}

std::uint64_t message_bytes::hash(std::uint64_t at, std::uint64_t n, failure& why) {
  const auto size = static_cast<std::size_t>(n);
  if (is_buffered()) return XXH3_64bits(buffered().data() + at, size);
  if (!is_mapped_) return hash_by_reads(offset_ + at, n, why);
  std::uint64_t out = 0;
  why = mapping_guard::run([&]() noexcept { out = XXH3_64bits(mapping_ + at, size); });
  return out;
}

std::uint64_t message_bytes::hash_by_reads(std::uint64_t from, std::uint64_t n, failure& why) {
  if (loaded_.size() < std::min<std::uint64_t>(hash_step, n))
    loaded_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(hash_step, n)));
  const std::unique_ptr<XXH3_state_t, state_deleter> state(XXH3_createState());
  if (!state) throw std::bad_alloc();
  XXH3_64bits_reset(state.get());
  for (std::uint64_t done = 0; done < n;) {
    const auto part = std::span(loaded_).first(static_cast<std::size_t>(std::min<std::uint64_t>(hash_step, n - done)));
    why = copy(from + done, part);
    if (why) return 0;
    XXH3_64bits_update(state.get(), part.data(), part.size());
    done += part.size();
  }
  return XXH3_64bits_digest(state.get());
}

}  // namespace tgmap::validation
