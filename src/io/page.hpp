// SPDX-License-Identifier: Apache-2.0
// Pages, and the number of bytes to read in addition to the requested ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tgmap::io {

/// Unit of the cost of a read: other bytes of the same page cost nothing more.
inline constexpr std::uint64_t page = 4096;

/// Reads that are further apart than this cost less as positioned reads. Through a mapping each is a page fault, for
/// which the kernel reads far more of a cold file than is needed.
inline constexpr std::uint64_t far_apart = 24 << 10;

/// Number of bytes to read before and after the requested ones, if they are on the same page.
struct margin {
  std::size_t before = 0;
  std::size_t after = 0;
};

/// A range of a source.
struct byte_span {
  std::uint64_t begin = 0;
  std::size_t size = 0;
};

/// Returns [offset, offset + size) with its margin: at most `max_size` bytes, in a source of `end` bytes.
constexpr byte_span within_page(std::uint64_t offset, std::size_t size, margin more, std::uint64_t end,
                                std::size_t max_size) noexcept {
  const std::uint64_t behind = offset + size;
  const std::uint64_t after = std::min(
      {std::uint64_t{more.after}, (page - behind % page) % page, end - behind, std::uint64_t{max_size - size}});
  const std::uint64_t before =
      std::min({std::uint64_t{more.before}, offset % page, std::uint64_t{max_size - size - after}});
  return {offset - before, static_cast<std::size_t>(before + size + after)};
}

}  // namespace tgmap::io
