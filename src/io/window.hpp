// SPDX-License-Identifier: Apache-2.0
// Short looks at structure: into the mapping where there is one, else through a small buffer.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "io/source.hpp"

namespace tgmap::io {

/// For one thread. Keeps the last bytes read, so that looking again costs nothing.
class window {
 public:
  static constexpr std::size_t largest = 512;

  explicit window(const source& in) noexcept : in_(&in) {}

  /// The bytes [offset, offset + size), size <= largest, which the caller has checked to lie within the source. Valid
  /// until the next call. Empty, with the failure set, when they cannot be read. `ahead`: bytes worth reading at once.
  std::span<const std::byte> at(std::uint64_t offset, std::size_t size, failure& why, std::size_t ahead = 0) noexcept {
    if (const std::byte* all = in_->mapped()) return {all + offset, size};
    if (offset >= begin_ && offset - begin_ <= size_ && size <= size_ - (offset - begin_))
      return {buffer_.data() + (offset - begin_), size};
    size_ = 0;
    const std::size_t most = std::min<std::uint64_t>(std::min(std::max(size, ahead), largest), in_->size() - offset);
    why = in_->read(offset, {buffer_.data(), most});
    if (why) return {};
    begin_ = offset;
    size_ = most;
    return {buffer_.data(), size};
  }

  const source& in() const noexcept { return *in_; }

 private:
  const source* in_;
  std::uint64_t begin_ = 0;
  std::size_t size_ = 0;
  std::array<std::byte, largest> buffer_;
};

}  // namespace tgmap::io
