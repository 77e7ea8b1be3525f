// SPDX-License-Identifier: Apache-2.0
// What is worth reading along with a few bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tgmap::io {

/// What a look costs: bytes on the same page come along, those on another are fetched and mapped apart.
inline constexpr std::uint64_t page = 4096;

/// Looks that far from each other cost less by positioned reads: through a mapping each of them is a page fault, and of
/// a cold file the kernel reads far more than was looked at.
inline constexpr std::uint64_t far_apart = 24 << 10;

/// How much around the bytes asked for is worth having too, within the page.
struct margin {
  std::size_t before = 0;
  std::size_t after = 0;
};

/// A range of a source.
struct byte_span {
  std::uint64_t begin = 0;
  std::size_t size = 0;
};

/// [offset, offset + size) with what is worth having around it, of `most` bytes at most, in a source of `end` bytes.
constexpr byte_span within_page(std::uint64_t offset, std::size_t size, margin more, std::uint64_t end,
                                std::size_t most) noexcept {
  const std::uint64_t behind = offset + size;
  const std::uint64_t after =
      std::min({std::uint64_t{more.after}, (page - behind % page) % page, end - behind, std::uint64_t{most - size}});
  const std::uint64_t before =
      std::min({std::uint64_t{more.before}, offset % page, std::uint64_t{most - size - after}});
  return {offset - before, static_cast<std::size_t>(before + size + after)};
}

}  // namespace tgmap::io
