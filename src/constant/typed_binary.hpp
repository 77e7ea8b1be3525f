// SPDX-License-Identifier: Apache-2.0
// The bits of typed binary, as it is read and written. Numbers below 128 are one byte, others four with the top bit
// set.
#pragma once

#include <cstdint>
#include <iterator>
#include <optional>
#include <tgmap/dtype.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace tbf {

inline constexpr std::uint64_t has_mapped = 1, has_indexed = 2, has_cell_type = 4;  // of the tag, which comes first
inline constexpr std::uint64_t most = 0x7FFFFFFF;                                   // of any number
inline constexpr std::uint64_t four_bytes = 0x80;                                   // in the first byte of a number

inline constexpr dtype cell_types[] = {dtype::float64, dtype::float32, dtype::bfloat16, dtype::int8};

inline std::uint64_t number_of(dtype cells) noexcept {
  std::uint64_t number = 0;
  while (number + 1 < std::size(cell_types) && cell_types[number] != cells) ++number;
  return number;
}
inline std::optional<dtype> cell_type_of(std::uint64_t number) noexcept {
  return number < std::size(cell_types) ? std::optional(cell_types[number]) : std::nullopt;
}

}  // namespace tbf
}  // namespace constant
}  // namespace v0
}  // namespace tgmap
