// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/descriptor.hpp>
#include <tgmap/dtype.hpp>
#include <vector>

#include "cpp/interpreter/python.hpp"

namespace tgmap_python {

/// An `input_array` is the elements of an array that is to be written, mostly where NumPy has them.
struct input_array {
  nb::object owner{};  ///< keeps the memory alive
  std::span<const std::byte> data{};
  tgmap::dtype dtype{};
  tgmap::byte_order order = tgmap::native_byte_order;
  std::vector<std::uint64_t> shape{};
  std::vector<std::int64_t> strides{};  ///< in elements; empty for C order
  std::uint64_t data_offset = 0;        ///< in elements
};

/// Returns the elements of an array, or of what NumPy makes an array of. Elements are copied only if they are
/// converted, if strides are no multiple of an element, or if they are bool, which becomes a bitmask.
///
/// `dtype`: None, a name of the format or a dtype of NumPy. Elements are converted to it if that keeps their kind;
/// uint16 and two opaque bytes are taken as the bits of bfloat16.
/// Raises TypeError for elements that the format does not have, and for a masked array.
input_array elements_of(nb::handle value, nb::handle dtype);

/// Returns a dtype by its name in the format, or by a dtype of NumPy. Raises TypeError if the format does not have it.
tgmap::dtype to_dtype(nb::handle dtype);

/// Returns true for arrays, what has `__array__`, and what has a buffer; false for lists and numbers of Python.
bool is_array_like(nb::handle value);

/// Returns elements in C order and native byte order. Raises TypeError if they are not of this dtype.
input_array dense_elements_of(nb::handle value, tgmap::dtype);

}  // namespace tgmap_python
