// SPDX-License-Identifier: Apache-2.0
// Elements and payloads as raw bytes.
#pragma once

#include <tgmap/object.hpp>
#include <tgmap/tensor.hpp>

#include "convert/conversion.hpp"

namespace tgmap::convert {

/// Writes the elements in the order in which the tensor holds them, little endian, a bit of a bitmask as one byte.
/// Needs constant memory besides the tensor.
/// Errors: file_shrank, for a borrowed tensor if a mapping_guard is installed.
void copy_elements(const tensor&, const write_function&);

/// Writes the elements in C order, otherwise as `copy_elements`.
void gather_elements(const tensor&, const write_function&);

/// Writes the elements in C order; copies them if they are stored so.
/// Errors: those of `copy_elements`.
void write_raw(const tensor&, const write_function&);

/// Writes the stored payload, byte for byte, in constant memory.
/// Errors: those of object::read.
void copy_payload(const object&, const write_function&);

}  // namespace tgmap::convert
