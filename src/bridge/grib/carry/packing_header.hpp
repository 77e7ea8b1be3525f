// SPDX-License-Identifier: Apache-2.0
// Reads the parameters of a packing from sections without their packed values, so that these can be rebuilt.
#pragma once

#include <cstdint>
#include <tgmap/error.hpp>

#include "bridge/grib/sections/field.hpp"
#include "bridge/grib/sections/packing.hpp"

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

/// Reads template, reference value, scale factors, width and parameters of ccsds, from section 5 of GRIB 2, or from the
/// header of section 4 of GRIB 1. Only simple, ieee, ccsds and complex packing have more than their kind. `values` and
/// `data` are not set.
/// Errors: bad_sections.
packing read_packing_header(const field&, failure& why) noexcept;

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
