// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <tgmap/keys.hpp>

#include "cli/json.hpp"

namespace tgmap::cli {

/// Adds what is found, as text that is safe to print, to a line.
void append_value(const key_value&, std::string& line);

/// One message or object as JSON: each key that is there with its text; others are left out. Throws tgmap::error.
json key_members(std::span<const key>, key_scope&);

}  // namespace tgmap::cli
