// SPDX-License-Identifier: Apache-2.0
// Parts of objects, as Python names them: object[10:20, ::4].
#pragma once

#include <array>
#include <tgmap/decode/part_reader.hpp>
#include <tgmap/descriptor.hpp>
#include <vector>

#include "cpp/handles/handles.hpp"

namespace tgmap_python {

/// A `subscript` is a key of integers, slices, None and an ellipsis, as the box of elements that it needs.
struct subscript {
  tgmap::slab box{};
  std::vector<bool> is_reversed{};             ///< the slice of the dimension has a negative step
  std::vector<bool> is_dropped{};              ///< the dimension has an integer, and the result lacks it
  std::vector<std::size_t> new_axes_before{};  ///< dimensions of the box, or their number, before which there is a None
  bool has_ellipsis = false;                   ///< with it a single element is an array without dimensions
  bool is_whole = true;                        ///< the box holds all elements in order

  /// Returns whether the box must be changed to be the result.
  bool changes_axes() const noexcept;
};

/// Returns a key as a box; nothing for keys of other kinds, such as arrays. Raises what NumPy raises for a wrong key.
std::optional<subscript> to_subscript(nb::handle key, std::span<const std::uint64_t> shape);

/// Returns a box as its key has it: reversed, without dropped dimensions and with new ones.
nb::object apply_axes(const nb::object& box, const subscript&);

/// Returns a part of an object. Reads and decodes only what it needs.
nb::object part_of(py_object&, const nb::object& key);

/// Returns the bytes that part_of() reads and decodes.
nb::object cost_of(py_object&, const nb::object& key);

/// Returns the strides of the decoded elements, in elements, or nothing for C order.
/// Errors: unsupported_strides.
std::span<const std::int64_t> decoded_strides(const tgmap::descriptor&,
                                              std::array<std::int64_t, tgmap::max_rank>& memory, tgmap::failure&);

/// Returns the strides of C order, in elements.
std::span<const std::int64_t> c_strides(std::span<const std::uint64_t> shape,
                                        std::array<std::int64_t, tgmap::max_rank>& memory);

}  // namespace tgmap_python
