// SPDX-License-Identifier: Apache-2.0
// Short looks at structure, always copied first: the bytes may change, or go away, under a mapping.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "io/source.hpp"

namespace tgmap::io {

/// How much around the bytes asked for is worth having too, within the page.
struct around {
  std::size_t before = 0;
  std::size_t after = 0;
};

/// For one thread. Keeps the last bytes copied, so that looking near them again costs nothing. Never raises a signal.
class window {
 public:
  static constexpr std::size_t largest = 4096;

  explicit window(const source& in) noexcept : in_(&in) {}

  /// The bytes [offset, offset + size), size <= largest, which the caller has checked to lie within the source. Valid
  /// until the next call. Empty, with the failure set, when they cannot be read.
  std::span<const std::byte> at(std::uint64_t offset, std::size_t size, failure& why, around more = {}) noexcept {
    if (offset < begin_ || offset - begin_ > size_ || size > size_ - (offset - begin_)) {
      fill(offset, size, why, more);
      if (why) return {};
    }
    return {buffer_.data() + (offset - begin_), size};
  }

  const source& in() const noexcept { return *in_; }

 private:
  static constexpr std::uint64_t page = 4096;

  void fill(std::uint64_t offset, std::size_t size, failure& why, around more) noexcept {
    const std::uint64_t before = std::min<std::uint64_t>(more.before, offset % page);
    const std::uint64_t behind = offset + size;
    const std::uint64_t after = std::min({std::uint64_t{more.after}, (page - behind % page) % page,
                                          in_->size() - behind, std::uint64_t{largest - size}});
    begin_ = offset - std::min<std::uint64_t>(before, largest - size - after);
    size_ = static_cast<std::size_t>(behind + after - begin_);
    why = in_->load(begin_, {buffer_.data(), size_});
    if (why) size_ = 0;
  }

  const source* in_;
  std::uint64_t begin_ = 0;
  std::size_t size_ = 0;
  std::array<std::byte, largest> buffer_;
};

}  // namespace tgmap::io
