// SPDX-License-Identifier: Apache-2.0
// GRIB messages of one field, for ecCodes, which reads the first field of a message only.
#pragma once

#include <cstddef>
#include <vector>

#include "bridge/grib/sections/field.hpp"

namespace tgmap::bridge::grib {

/// Returns a message of a field with all its sections, which include the bitmap of an earlier field if this one uses
/// it. Errors: out_of_memory.
std::vector<std::byte> whole_message(const field&, failure& why) noexcept;

/// Returns a message of a field without values and bitmap, of about 200 bytes. It has the same keys as the whole one
/// except those of values, packing and bitmap.
/// Errors: section_too_long (sections 1 and 2 of GRIB 1 exceed 8 MiB); out_of_memory.
std::vector<std::byte> message_without_data(const field&, failure& why) noexcept;

}  // namespace tgmap::bridge::grib
