// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/tensor.hpp>

#include "convert/sink.hpp"

namespace tgmap::convert {

/// The elements in the order in which the tensor holds them, little endian, a bitmask as one byte an element.
/// Constant memory besides the tensor. Errors: file_shrank, of borrowed elements whose file was cut meanwhile and where
/// a mapping_guard is installed.
void copy_elements(const tensor&, const sink&);

/// As copy_elements, in C order by way of the tensor's strides.
void gather_elements(const tensor&, const sink&);

}  // namespace tgmap::convert
