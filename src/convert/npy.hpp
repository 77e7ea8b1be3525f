// SPDX-License-Identifier: Apache-2.0
// Files of NumPy with one array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/tensor.hpp>
#include <vector>

#include "convert/conversion.hpp"
#include "convert/npy_header.hpp"

namespace tgmap::convert {

/// An `npy_array` is the array of a file. It borrows the file.
struct npy_array {
  npy_dtype elements{};
  std::vector<std::uint64_t> shape{};   ///< slowest dimension first; empty for a scalar
  std::vector<std::int64_t> strides{};  ///< in elements, of C order or Fortran order
  std::span<const std::byte> data{};    ///< exactly the elements, at any alignment
  std::size_t offset = 0;               ///< of `data` in the file
};

/// Sets the data of an array whose dtype and shape are known, and its strides.
/// Errors: conversion_error if `data` has another size than the elements.
void set_data(npy_array&, std::span<const std::byte> data, bool is_fortran_order);

/// Reads an .npy file of format 1.0, 2.0 or 3.0. The file must end with the last element, so that no second array is
/// ignored.
/// Errors: conversion_error.
/// Complexity: O(header).
npy_array read_npy(std::span<const std::byte> file);

/// Writes elements as an .npy file: in Fortran order if the strides are exactly that, otherwise in C order.
/// Errors: those of `copy_elements`.
void write_npy(const tensor&, const write_function&);
/// The same with another shape of as many elements, for a tensor in C order; drops dimensions of size 1.
void write_npy(const tensor&, std::span<const std::uint64_t> shape, const write_function&);

/// Packs elements of one byte, each 0 or 1, into a bitmask: in C order, eight a byte, the first one in the highest bit.
/// It reverses how `copy_elements` writes bits.
/// Errors: conversion_error for other elements.
/// Complexity: O(elements).
std::vector<std::byte> pack_bits(const npy_array&);

}  // namespace tgmap::convert
