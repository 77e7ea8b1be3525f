// SPDX-License-Identifier: Apache-2.0
#include "validate/raw_message.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <tgmap/mapping_guard.hpp>

namespace tgmap::checks {

namespace {

constexpr std::uint64_t page = 4096;
constexpr std::size_t hashed_piece = 256 << 10;  // hashed at a time: stays in the second level cache
constexpr std::size_t kept = 1 << 20;            // a copy larger than that is given back with its message

struct free_state {
  void operator()(XXH3_state_t* state) const noexcept { XXH3_freeState(state); }
};

}  // namespace

void raw_message::begin(const archive& of, bool payloads) noexcept {
  of_ = &of;
  mapped_ = of.is_in_memory() ||
            (of.mode() == io_mode::map && of.options().guard != guard_use::never && detail::offer_guard());
  payloads_ = payloads;
  small_ = payloads ? 16 << 10 : 4 << 10;  // a page costs what a part of it does
  window_at_ = window_size_ = offset_ = size_ = 0;
}

failure raw_message::copy(std::uint64_t from, std::span<std::byte> out) const {
  failure why;
  // Where a page of a mapping is missing the kernel reads far around it: of large messages, payloads.
  if (!mapped_ || (!payloads_ && size_ > small_)) {
    of_->read(from, out, why);
    return why;
  }
  const std::byte* const bytes = mapping_ + (from - offset_);
  return mapping_guard::run([&]() noexcept { std::memcpy(out.data(), bytes, out.size()); });
}

failure raw_message::move_window(std::uint64_t from, std::uint64_t size) {
  window_size_ = 0;
  failure why = copy(from, std::span(window_).first(static_cast<std::size_t>(size)));
  if (why) return why;
  window_at_ = from;
  window_size_ = size;
  return why;
}

failure raw_message::move_window_around(std::uint64_t from, std::size_t n) {
  const std::uint64_t page_end = (from + n + page - 1) / page * page;
  return move_window(from, std::min({std::uint64_t{around}, page_end - from, offset_ + size_ - from}));
}

failure raw_message::open(const tgmap::message& message, std::uint64_t until) {
  failure why;
  if (loaded_.capacity() > kept) loaded_ = {};
  offset_ = message.offset();
  size_ = message.length();
  if (mapped_) mapping_ = message.bytes(why).data();
  if (why || size_ > small_ || whole()) return why;
  return move_window(offset_, std::min<std::uint64_t>(most_ahead, until - offset_));
}

std::span<const std::byte> raw_message::load(std::uint64_t at, std::uint64_t n, failure& why) {
  const auto size = static_cast<std::size_t>(n);
  if (whole()) return bytes().subspan(static_cast<std::size_t>(at), size);
  if (loaded_.size() < size) loaded_.resize(size);
  why = copy(offset_ + at, std::span(loaded_).first(size));
  return why ? std::span<const std::byte>() : std::span<const std::byte>(loaded_).first(size);
}

std::uint64_t raw_message::hash(std::uint64_t at, std::uint64_t n, failure& why) {
  const auto size = static_cast<std::size_t>(n);
  if (whole()) return XXH3_64bits(bytes().data() + at, size);
  if (!mapped_) return hash_by_reads(offset_ + at, n, why);
  std::uint64_t out = 0;
  why = mapping_guard::run([&]() noexcept { out = XXH3_64bits(mapping_ + at, size); });
  return out;
}

std::uint64_t raw_message::hash_by_reads(std::uint64_t from, std::uint64_t n, failure& why) {
  if (loaded_.size() < std::min<std::uint64_t>(hashed_piece, n))
    loaded_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(hashed_piece, n)));
  const std::unique_ptr<XXH3_state_t, free_state> state(XXH3_createState());
  if (!state) throw std::bad_alloc();
  XXH3_64bits_reset(state.get());
  for (std::uint64_t done = 0; done < n;) {
    const auto part =
        std::span(loaded_).first(static_cast<std::size_t>(std::min<std::uint64_t>(hashed_piece, n - done)));
    why = copy(from + done, part);
    if (why) return 0;
    XXH3_64bits_update(state.get(), part.data(), part.size());
    done += part.size();
  }
  return XXH3_64bits_digest(state.get());
}

}  // namespace tgmap::checks
