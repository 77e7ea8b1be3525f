// SPDX-License-Identifier: Apache-2.0
// Keys of the grid that are not in ecCodes' namespace mars.
#pragma once

#include "bridge/grib/keys/namespace_keys.hpp"
#include "bridge/grib/sections/field.hpp"

namespace tgmap::bridge::grib {

/// Adds `grid`, `area` and `ordering` to the keys of MARS. Errors: throws std::bad_alloc.
void add_grid(const handle_reader&, named_keys& mars);

/// Sets `grib.geography.NAME` to 1 for flags of the scanning order that are not the default ones.
/// Errors: those of read_grid_shape. Throws std::bad_alloc.
void add_scanning_mode(const field&, cbor_value& to, failure& why);

}  // namespace tgmap::bridge::grib
