// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/dtype.hpp>

namespace tgmap::convert {

/// NumPy's name for elements as we write them: little endian, a bitmask as one byte an element. NumPy has no bfloat16
/// of its own; two opaque bytes are what the packages that add it read and write.
std::string_view npy_descr(dtype) noexcept;

/// Everything of an .npy file before its elements, padded so that these begin at a multiple of 64.
/// Format 1.0, or 2.0 where the text exceeds what 1.0 can hold.
std::string npy_header(dtype, std::span<const std::uint64_t> shape, bool fortran_order);

}  // namespace tgmap::convert
