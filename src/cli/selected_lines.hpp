// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/selection.hpp"

namespace tgmap::cli {

/// Adds what is to be printed of a message or object to a text. Called in several threads at once. A complaint that it
/// throws ends the run behind what was printed before.
using line_writer = std::function<void(const target&, key_lookup&, std::string& to)>;

/// Prints a text of everything that for_each_selected would give, in the same order. Large archives are looked at by as
/// many threads as the session allows. Throws as for_each_selected.
void write_selected(const std::vector<target>&, const selection_options&, session&, const line_writer&);

}  // namespace tgmap::cli
