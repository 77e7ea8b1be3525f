// SPDX-License-Identifier: Apache-2.0
// Arrays of NumPy, made through its C interface.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/descriptor.hpp>
#include <tgmap/dtype.hpp>
#include <tgmap/tensor.hpp>
#include <type_traits>
#include <vector>

#include "cpp/interpreter/python.hpp"

namespace tgmap_python {

/// Loads the C interface of NumPy. Call it first.
void import_numpy();

/// Returns the dtype of NumPy for elements that are stored in a byte order. `bitmask` becomes bool. `bfloat16` is that
/// of ml_dtypes, or without this package two opaque bytes ("V2").
nb::object numpy_dtype(tgmap::dtype, tgmap::byte_order = tgmap::native_byte_order);

/// Returns a read-only array of memory that `owner` keeps alive. Strides are in elements.
nb::object borrowed_array(std::span<const std::byte> bytes, tgmap::dtype, tgmap::byte_order,
                          std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides,
                          nb::handle owner);

/// A `new_array` is an array of NumPy whose elements are written before it is given to Python.
struct new_array {
  nb::object array{};
  std::span<std::byte> bytes{};  ///< all elements
};

/// Returns a new array. Strides are a permutation of a dense layout, in elements; none: C order.
new_array make_array(tgmap::dtype, tgmap::byte_order, std::span<const std::uint64_t> shape,
                     std::span<const std::int64_t> strides = {});

/// Returns a writable array that owns a decoded tensor, which owns its memory.
nb::object array_of_tensor(tgmap::tensor decoded);

/// Writes one byte, 0 or 1, for each bit. Eight bits are in a byte, the first one in the highest bit.
void expand_bits(std::span<const std::byte> bits, std::span<std::byte> out) noexcept;

/// Returns a new array of bool from bits, eight elements in a byte, the first one in the highest bit.
nb::object bool_array(std::span<const std::byte> bits, std::span<const std::uint64_t> shape,
                      std::span<const std::int64_t> strides = {});

/// Returns read-only bytes that `owner` keeps alive, as a memoryview.
nb::object borrowed_bytes(std::span<const std::byte> bytes, nb::handle owner);

/// Returns the memory of an array that a caller gives for a result: writable, in C order, of this dtype and size.
/// Raises TypeError or ValueError if it is not.
std::span<std::byte> output_bytes(nb::handle array, tgmap::dtype, std::span<const std::uint64_t> shape);

/// A `strided_array` is an array of NumPy with any strides, in bytes.
struct strided_array {
  nb::object array{};
  std::byte* data = nullptr;
  std::vector<std::int64_t> strides{};
};

/// Returns the memory of an array that a caller gives for a result: writable, of this dtype and shape. Raises TypeError
/// or ValueError if it is not.
strided_array strided_output(nb::handle array, tgmap::dtype, std::span<const std::uint64_t> shape);

/// An `input_buffer` is the memory of any object that has a contiguous buffer: bytes, mmap, memoryview, array.
struct input_buffer {
  nb::object owner{};
  std::span<const std::byte> bytes{};
};
input_buffer bytes_of(nb::handle buffer);

/// Returns numbers as a tuple.
template <class Number>
nb::tuple to_tuple(std::span<const Number> numbers, std::int64_t factor = 1) {
  nb::object out = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(numbers.size())));
  if (!out) throw nb::python_error();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    PyObject* number = nullptr;
    if constexpr (std::is_unsigned_v<Number>)
      number = PyLong_FromUnsignedLongLong(numbers[i] * static_cast<std::uint64_t>(factor));
    else
      number = PyLong_FromLongLong(static_cast<long long>(numbers[i]) * factor);
    if (number == nullptr) throw nb::python_error();
    PyTuple_SetItem(out.ptr(), static_cast<Py_ssize_t>(i), number);
  }
  return nb::borrow<nb::tuple>(out);
}

}  // namespace tgmap_python
