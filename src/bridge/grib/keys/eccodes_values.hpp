// SPDX-License-Identifier: Apache-2.0
// Values of fields that only ecCodes decodes: jpeg, png, spectral, second order and others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bridge/grib/sections/field.hpp"

namespace tgmap::bridge::grib {

/// Returns a message of one field that ecCodes can decode, if the field is sound: sections, grid, bitmap and packing,
/// and the size of a picture, which must be that of the values.
/// Errors: those of read_packing and read_grid_shape; value_count, bad_parameter (a picture), out_of_memory.
std::vector<std::byte> checked_message(const field&, failure& why) noexcept;

/// Returns the values of a field in the order in which they are stored, one for each point. Missing ones are NaN.
/// Thread safety: any number of threads; ecCodes serves one at a time.
/// Errors: those of checked_message; eccodes_absent, eccodes_failed; value_count (ecCodes gives another number of
/// values than the grid has points); decoded_limit (`max_values`: ecCodes needs about 24 bytes a value).
std::vector<double> read_values_by_eccodes(const field&, failure& why,
                                           std::uint64_t max_values = std::uint64_t{1} << 28U) noexcept;

}  // namespace tgmap::bridge::grib
