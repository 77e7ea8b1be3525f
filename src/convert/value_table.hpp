// SPDX-License-Identifier: Apache-2.0
// Elements as text: a row for each element with its coordinates, or nested JSON arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <tgmap/tensor.hpp>
#include <vector>

#include "convert/conversion.hpp"
#include "json/writer.hpp"

namespace tgmap::convert {

/// A `coordinate` is a number for each index of a dimension, or for each element.
struct coordinate {
  std::string name{};                        ///< such as "latitude" or "index_0"
  std::optional<std::size_t> dimension = 0;  ///< empty: `values` has one number for each element, in C order
  std::vector<double> values{};              ///< one number for each index; empty: the index itself
  std::uint64_t first = 0, step = 1;         ///< of an index, if the elements are a part of a larger tensor
};

/// The elements of a tensor in C order, their shape, and coordinates. The shape may leave out dimensions of size 1.
struct value_table {
  const tensor& elements;
  std::span<const std::uint64_t> shape;
  std::span<const coordinate> coordinates;
};

/// Writes a header and a row for each element: its coordinates, then its value, with commas between them. A complex
/// value takes two columns. Numbers have the fewest digits that identify them in their dtype; others are NaN, Infinity
/// and -Infinity. Needs constant memory besides the tensor.
/// Errors: file_shrank, for a borrowed tensor if a mapping_guard is installed.
void write_csv(const value_table&, const write_function&);

/// Writes the same with spaces between the columns and `#` before the header.
void write_columns(const value_table&, const write_function&);

/// Writes members of a JSON object.
using put_members = std::function<void(json_text::writer<>&)>;

/// Writes one JSON object in ASCII and a line end: the members of `put_first`, if any, then dtype, shape, coordinates,
/// and the values as nested arrays. A complex value is an array of two numbers; NaN and infinities are strings.
void write_json(const value_table&, const put_members& put_first, const write_function&);

}  // namespace tgmap::convert
