// SPDX-License-Identifier: Apache-2.0
// Constants of typed binary. A number below 128 is one byte, a larger one is four bytes with the highest bit set.
#pragma once

#include <cstdint>
#include <iterator>
#include <optional>
#include <tgmap/dtype.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant::tbf {

inline constexpr std::uint64_t has_mapped = 1, has_indexed = 2, has_cell_type = 4;  // bits of the tag, which is first
inline constexpr std::uint64_t max_number = 0x7FFFFFFF;
inline constexpr std::uint64_t four_bytes = 0x80;  // bit of the first byte of a number

inline constexpr dtype cell_types[] = {dtype::float64, dtype::float32, dtype::bfloat16, dtype::int8};

inline std::uint64_t number_of(dtype cells) noexcept {
  std::uint64_t number = 0;
  while (number + 1 < std::size(cell_types) && cell_types[number] != cells) ++number;
  return number;
}
inline std::optional<dtype> cell_type_of(std::uint64_t number) noexcept {
  return number < std::size(cell_types) ? std::optional(cell_types[number]) : std::nullopt;
}

}  // namespace constant::tbf
}  // namespace v0
}  // namespace tgmap
