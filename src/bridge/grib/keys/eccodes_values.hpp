// SPDX-License-Identifier: Apache-2.0
// Values of fields that only ecCodes decodes: jpeg, png, spectral, second order and others.
#pragma once

#include <cstddef>
#include <vector>

#include "bridge/grib/sections/bitmap.hpp"
#include "bridge/grib/sections/field.hpp"
#include "bridge/grib/sections/packing.hpp"

namespace tgmap::bridge::grib {

/// Returns the values of a field in the order in which they are stored, one for each point. Missing ones are NaN.
///
/// ecCodes gets a message of this field alone. Sizes that the data itself states, as those of a jpeg picture, are
/// compared with the points first.
/// Thread safety: any number of threads; ecCodes serves one at a time.
/// Errors: eccodes_absent, eccodes_failed, value_count (ecCodes, or a picture, gives another number of values than the
/// grid has points), bad_parameter, out_of_memory.
std::vector<double> read_values_by_eccodes(const field&, const packing&, const bitmap&, failure& why) noexcept;

}  // namespace tgmap::bridge::grib
