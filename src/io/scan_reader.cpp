// SPDX-License-Identifier: Apache-2.0
#include "io/scan_reader.hpp"

#include <algorithm>
#include <new>

namespace tgmap::io {

/// A buffer of that size, or the small one when there is no memory for it.
std::span<std::byte> scan_reader::room(std::size_t size) noexcept {
  if (size > least && !large_ && !no_memory_) {
    large_.reset(new (std::nothrow) std::byte[most]);
    no_memory_ = !large_;
  }
  if (size > least && large_) return {large_.get(), size};
  return {small_.data(), std::min(size, least)};
}

std::span<const std::byte> scan_reader::fill(std::uint64_t offset, std::size_t size, around more, std::uint64_t& begin,
                                             failure& why) noexcept {
  const std::uint64_t near = cold_ == 0 ? near_warm : foreseen_ ? near_foreseen : near_cold;
  foreseen_ = false;
  std::span<std::byte> out;
  if (next_ != 0 && offset + size > end_ && offset <= end_ + near) {
    out = room(static_cast<std::size_t>(std::min<std::uint64_t>(std::max(next_, size), in_->size() - offset)));
    begin = offset;
    next_ = std::min(2 * next_, most);
  } else {
    const byte_span wanted = within_page(offset, size, more, in_->size(), least);
    out = room(wanted.size);
    begin = wanted.begin;
    next_ = least;
  }
  if (cold_ > 0 || reads_++ % 8 == 0) {
    read_cost cost{};
    why = in_->read(begin, out, cost);
    cold_ = cost == read_cost::waited ? patience : cold_ - std::min(cold_, 1u);
  } else {
    why = in_->read(begin, out);
  }
  end_ = begin + out.size();
  if (why) {
    next_ = 0;
    out = {};
  }
  return out;
}

}  // namespace tgmap::io
