// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <tgmap/constant/write.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant::json {

/// A `cell_formatter` writes cells of one type as text.
struct cell_formatter {
  /// Writes cells with commas between them, and returns the end. `to` has room for `max_size` bytes a cell.
  char* (*format)(char* to, const std::byte* cells, std::size_t count) noexcept = nullptr;
  std::size_t max_size = 0;
};

cell_formatter number_formatter(dtype cells, number_style) noexcept;
/// The formatter for big-endian hexadecimal digits, without commas.
cell_formatter hex_formatter(dtype cells) noexcept;

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
