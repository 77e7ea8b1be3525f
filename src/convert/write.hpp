// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/object.hpp>

#include "convert/elements.hpp"

namespace tgmap::convert {

/// An object as an .npy file: C order, or Fortran order where the strides say exactly that; other permutations are
/// gathered into C order. Errors: encoded, filtered, compressed, masked, odd_strides, payload_size; those of
/// object::descriptor and object::read. Nothing is written before all but read errors are ruled out.
void write_npy(const object&, element_order, const sink&);

/// The elements alone, in C order. Errors: as write_npy.
void write_raw(const object&, element_order, const sink&);

}  // namespace tgmap::convert
