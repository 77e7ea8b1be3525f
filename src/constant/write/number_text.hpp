// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <tgmap/constant/write.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// How the cells of one type are spelled.
struct number_text {
  /// Writes so many cells with commas between them. There is room for `most` bytes a cell. Returns the end.
  char* (*put)(char* to, const std::byte* cells, std::size_t count) noexcept = nullptr;
  std::size_t most = 0;
};
number_text number_text_of(dtype cells, number_style) noexcept;

/// The same as hexadecimal digits, big-endian, with nothing between them.
number_text hex_text_of(dtype cells) noexcept;

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
