// SPDX-License-Identifier: Apache-2.0
// Element types of TENS and the dtypes of Tensogram that they correspond to.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <tgmap/dtype.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// A `tens_dtype` is an element type of TENS: the letter of NumPy and the bytes of an element. 'f' of 2 bytes is half.
struct tens_dtype {
  char kind = 'u';
  std::uint64_t word = 1;
};

namespace dtype_table {
struct row {
  tgmap::dtype dtype;
  char kind;
};
inline constexpr std::array rows{row{dtype::float16, 'f'},   row{dtype::float32, 'f'},    row{dtype::float64, 'f'},
                                 row{dtype::complex64, 'c'}, row{dtype::complex128, 'c'}, row{dtype::int8, 'i'},
                                 row{dtype::int16, 'i'},     row{dtype::int32, 'i'},      row{dtype::int64, 'i'},
                                 row{dtype::uint8, 'u'},     row{dtype::uint16, 'u'},     row{dtype::uint32, 'u'},
                                 row{dtype::uint64, 'u'}};
}  // namespace dtype_table

/// Returns the dtype of Tensogram; nothing if there is none.
inline std::optional<dtype> to_dtype(tens_dtype of) noexcept {
  for (const auto& row : dtype_table::rows)
    if (row.kind == of.kind && element_size(row.dtype) == of.word) return row.dtype;
  return std::nullopt;
}

/// Returns the element type of TENS; nothing for bfloat16 and bitmask.
inline std::optional<tens_dtype> to_tens_dtype(dtype of) noexcept {
  for (const auto& row : dtype_table::rows)
    if (row.dtype == of) return tens_dtype{row.kind, element_size(of)};
  return std::nullopt;
}

/// Returns the same, but unsigned integers of the same size for bfloat16, and bytes for bitmask.
inline tens_dtype to_raw_tens_dtype(dtype of) noexcept {
  return to_tens_dtype(of).value_or(tens_dtype{'u', std::max<std::uint64_t>(element_size(of), 1)});
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
