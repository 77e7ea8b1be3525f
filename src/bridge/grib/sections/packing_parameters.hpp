// SPDX-License-Identifier: Apache-2.0
// Parameters of single templates of section 5, checked.
#pragma once

#include "bridge/grib/sections/numbers.hpp"
#include "bridge/grib/sections/packing.hpp"
#include "bridge/grib/sections/section_failure.hpp"

namespace tgmap::bridge::grib {

/// Returns the bytes of section 5 that a template needs; of unknown templates the bytes before it.
std::size_t packing_template_bytes(unsigned number) noexcept;

/// Reads the parameters of template 42. Returns whether they are possible.
/// Errors: bad_parameter, bad_width, data_too_short.
bool read_ccsds_parameters(packing& out, const field& from, failure& why) noexcept;

/// Reads the parameters of templates 2 and 3. Returns whether they are possible. What the groups themselves say, such
/// as their lengths, is not looked at; the data section has the bytes of their descriptions. Errors: bad_parameter,
/// bad_width, data_too_short.
bool read_complex_parameters(packing& out, const field& from, failure& why) noexcept;

}  // namespace tgmap::bridge::grib
