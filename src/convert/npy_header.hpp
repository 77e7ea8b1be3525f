// SPDX-License-Identifier: Apache-2.0
// The header of an .npy file, and NumPy's names for dtypes in it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/descriptor.hpp>
#include <tgmap/dtype.hpp>
#include <vector>

namespace tgmap::convert {

/// An `npy_dtype` is the dtype and byte order that a `descr` of NumPy stands for.
struct npy_dtype {
  tgmap::dtype type = dtype::uint8;
  tgmap::byte_order order = byte_order::little;
  /// False if `type` only comes close: NumPy's bool (bytes of 0 or 1) is read as uint8, and two opaque bytes without a
  /// byte order as bfloat16. The caller decides whether that is what the user means.
  bool is_exact = true;
};

/// Parses a `descr` such as "<f4", ">c16", "|u1" or "<V2". Two opaque bytes are bfloat16, as packages that add it to
/// NumPy write it. NumPy has no bitmask.
/// Errors: conversion_error.
npy_dtype parse_npy_descr(std::string_view descr);

/// Returns the `descr` of elements as `write_npy` writes them: little endian, a bitmask as one byte an element,
/// bfloat16 as two opaque bytes.
std::string_view npy_descr(dtype) noexcept;

/// An `npy_header` is the content of the header as it is stated there.
struct npy_header {
  std::string descr;  ///< such as "<f4"
  bool is_fortran_order = false;
  std::vector<std::uint64_t> shape;
};

/// Parses the text of the header: one Python dictionary with exactly these three keys. Accepts the literals that occur
/// in such headers: strings without backslashes, True and False, tuples of integers (also with the suffix L of
/// Python 2), at most `max_rank` extents.
/// Errors: conversion_error.
/// Complexity: O(text).
npy_header parse_npy_header(std::string_view);

/// Returns all bytes of an .npy file before its elements, padded so that those begin at a multiple of 64. The format is
/// 1.0, or 2.0 if the text is too long for that.
std::string make_npy_header(dtype, std::span<const std::uint64_t> shape, bool is_fortran_order);

}  // namespace tgmap::convert
