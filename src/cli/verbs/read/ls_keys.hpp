// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/input/selection.hpp"
#include "cli/input/target.hpp"

namespace tgmap::cli {

struct session;

/// Implements `ls -p`: prints a row of values for each selected message or object. `names`: keys with commas between
/// them.
void list_keys(const std::vector<target>&, const std::string& names, bool as_json, const selection_options&, session&);

}  // namespace tgmap::cli
