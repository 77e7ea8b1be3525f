// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/write/cbor_value.hpp>

#include "cli/assignments.hpp"

namespace tgmap::cli {

/// The value of an assignment. `unsaid`: what it becomes where it names no type. Whole numbers from -2^63 to 2^64 - 1,
/// floating ones in decimal or nan, inf, -inf; true and false. Throws usage_error when the text is nothing of the type.
cbor_value assigned_item(const assignment&, assigned_type unsaid = assigned_type::text);

}  // namespace tgmap::cli
