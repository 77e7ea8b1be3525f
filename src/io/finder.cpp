// SPDX-License-Identifier: Apache-2.0
#include "io/finder.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "io/source.hpp"

namespace tgmap::io {

std::uint64_t find_in_memory(std::span<const std::byte> bytes, std::span<const std::byte> pattern, std::uint64_t from,
                             std::uint64_t to) noexcept {
  if (from >= to || to > bytes.size()) return to;
  const std::uint64_t end = std::min<std::uint64_t>(bytes.size(), to + pattern.size() - 1);
  const void* found =
      ::memmem(bytes.data() + from, static_cast<std::size_t>(end - from), pattern.data(), pattern.size());
  if (found == nullptr) return to;
  return static_cast<std::uint64_t>(static_cast<const std::byte*>(found) - bytes.data());
}

std::uint64_t finder::find(std::span<const std::byte> pattern, std::uint64_t from, std::uint64_t to,
                           failure& why) noexcept {
  // The buffer must not be a large part of a small source.
  const std::uint64_t capacity = std::clamp<std::uint64_t>(in_->size() / 4, min_window, max_window);
  if (!buffer_) buffer_.reset(new (std::nothrow) std::byte[static_cast<std::size_t>(capacity)]);
  if (!buffer_) {
    why = {.code = errc::out_of_memory, .offset = from, .found = capacity};
    return to;
  }
  const std::uint64_t end = from >= to ? from : to + std::min<std::uint64_t>(pattern.size() - 1, in_->size() - to);
  while (from < to && end - from >= pattern.size()) {
    if (from < begin_ || from - begin_ > size_ || size_ - (from - begin_) < pattern.size()) {
      begin_ = from;
      size_ = static_cast<std::size_t>(
          std::min(in_->size() - from, std::clamp<std::uint64_t>(end - from, min_window, capacity)));
      read_cost unused{};
      why = in_->can_stop() ? in_->read(begin_, {buffer_.get(), size_}, unused, stop_)
                            : in_->read(begin_, {buffer_.get(), size_});
      if (why) {
        size_ = 0;
        return to;
      }
    }
    const std::span<const std::byte> bytes(buffer_.get(), size_);
    const std::uint64_t positions = std::min<std::uint64_t>(size_, end - begin_) - (pattern.size() - 1);
    const std::uint64_t found = find_in_memory(bytes, pattern, from - begin_, positions);
    if (found < positions) return begin_ + found;
    from = begin_ + positions;
  }
  return to;
}

}  // namespace tgmap::io
