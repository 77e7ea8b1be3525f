// SPDX-License-Identifier: Apache-2.0
// The options of verbs, as they were declared.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "manual/command_model.hpp"

namespace tgmap::cli {

using manual::option_model;
using manual::verb_model;

/// Returns the options and arguments of the command or a verb in the order declared, without hidden ones.
std::vector<option_model> options_of(const CLI::App&);

/// Returns the command or a verb with all that is below it.
verb_model model_of(const CLI::App&);

/// Returns the verbs of the command, or those below a verb.
std::vector<verb_model> verbs_of(const CLI::App&);

/// Returns their names.
std::vector<std::string> verb_names(const CLI::App&);

/// Returns the innermost verb that was parsed, or the command itself if none was.
const CLI::App& innermost(const CLI::App& command);

/// Returns for example "tgmap tens show".
std::string full_name(const CLI::App&);

}  // namespace tgmap::cli
