// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/selection.hpp"

namespace tgmap::cli {

/// `ls -p`: a row of values for each message, or object, that is selected. To a pipe as the reference implementation
/// prints them, with tabs below one header; aligned at a terminal.
void list_keys(const std::vector<target>&, const selection&, const std::string& keys, bool json, session&);

}  // namespace tgmap::cli
