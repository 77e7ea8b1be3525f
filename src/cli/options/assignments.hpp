// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <tgmap/error.hpp>
#include <vector>

#include "edit/metadata/assignments.hpp"

namespace tgmap::cli {

using edit::assigned_type;
using edit::assignment;

/// Parses the argument of `-s`. Errors: usage_error with the column.
std::vector<assignment> parse_assignments(std::string_view);

/// Converts the value of an assignment to `type`. Errors: usage_error if the text does not fit the type.
cbor_value assigned_value(const assignment&, assigned_type);

/// Throws usage_error for a failure of metadata_edits or new_metadata, or cli_error if the key must not be changed.
[[noreturn]] void throw_edit_error(const std::string& key, const failure&);

}  // namespace tgmap::cli
