// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <tgmap/tensor.hpp>

#include "convert/sink.hpp"

namespace tgmap::convert {

/// Decoded elements as an .npy file: C order, or Fortran order where the strides say exactly that; other permutations
/// are gathered into C order. Errors: as copy_elements.
void write_npy(const tensor&, const sink&);

/// The same with another shape of as many elements, for a tensor in C order: a part whose dimensions of one element may
/// be left out.
void write_npy(const tensor&, std::span<const std::uint64_t> shape, const sink&);

/// The elements alone, in C order. Errors: as copy_elements.
void write_raw(const tensor&, const sink&);

}  // namespace tgmap::convert
