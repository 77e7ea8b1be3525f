// SPDX-License-Identifier: Apache-2.0
#include "io/scan_reader.hpp"

#include <algorithm>
#include <new>

namespace tgmap::io {

/// Returns a buffer of that size; the small one if memory is missing.
std::span<std::byte> scan_reader::buffer_for(std::size_t size) noexcept {
  if (size > small_size && !large_ && !no_memory_) {
    large_.reset(new (std::nothrow)
                     std::byte[static_cast<std::size_t>(std::min<std::uint64_t>(large_size, in_->size()))]);
    no_memory_ = !large_;
  }
  if (size > small_size && large_) return {large_.get(), size};
  return {small_.data(), std::min(size, small_size)};
}

std::span<const std::byte> scan_reader::fill(std::uint64_t offset, std::size_t size, margin more, std::uint64_t& begin,
                                             failure& why) noexcept {
  if (offset >= large_range_.begin && offset - large_range_.begin <= large_range_.size &&
      size <= large_range_.size - (offset - large_range_.begin)) {
    requested_ = false;
    begin = large_range_.begin;
    return {large_.get(), large_range_.size};
  }
  const std::uint64_t near = cold_ == 0 ? near_warm : requested_ ? near_requested : near_cold;
  const auto follows = [&](std::uint64_t end) { return end != 0 && offset + size > end && offset <= end + near; };
  requested_ = false;
  if (!follows(recent_)) std::swap(recent_, older_);
  furthest_ = std::max(furthest_, offset + size);
  std::span<std::byte> out;
  // A hostile file may make reads jump back and forth: limit the bytes read ahead.
  if (follows(recent_) && spent_ <= 3 * furthest_ + large_size) {
    // The first reads stay within their page, for the next one may hold nothing but payload.
    const std::uint64_t wanted = reads_in_row_ < 2
                                     ? std::max<std::uint64_t>(size, page - offset % page)
                                     : std::min<std::uint64_t>(small_size << (reads_in_row_ - 1), large_size);
    out = buffer_for(static_cast<std::size_t>(std::min(wanted, in_->size() - offset)));
    begin = offset;
    reads_in_row_ = std::min(reads_in_row_ + 1, 32u);
    spent_ += out.size();
  } else {
    const byte_span wanted = within_page(offset, size, more, in_->size(), small_size);
    out = buffer_for(wanted.size);
    begin = wanted.begin;
    reads_in_row_ = 0;
  }
  why = read(begin, out);
  if (why && out.size() > size) {  // the requested bytes may be readable
    begin = offset;
    out = buffer_for(size);
    why = read(begin, out);
  }
  recent_ = why ? 0 : begin + out.size();
  return why ? std::span<const std::byte>() : out;
}

/// Reads into a buffer, and measures the cost.
failure scan_reader::read(std::uint64_t begin, std::span<std::byte> out) noexcept {
  const bool large = out.data() == large_.get();
  if (large) large_range_ = {};
  failure why;
  if (cold_ > 0 || in_->can_stop() || reads_++ % 8 == 0) {
    read_cost cost{};
    why = in_->read(begin, out, cost, stop_);
    cold_ = cost == read_cost::waited ? reads_until_warm : cold_ - std::min(cold_, 1u);
  } else {
    why = in_->read(begin, out);
  }
  if (large && !why) large_range_ = {begin, out.size()};
  return why;
}

}  // namespace tgmap::io
