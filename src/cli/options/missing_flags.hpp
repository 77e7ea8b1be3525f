// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <tgmap/write/pipeline.hpp>

namespace tgmap::cli {

/// Adds --allow-nan, --allow-inf and the options for masks, which the reference implementation takes for any verb.
/// Options that exist are not added again. An empty `group` hides them in help. On the command itself, environment
/// variables such as TENSOGRAM_ALLOW_NAN set them too; the command line takes precedence.
void add_missing_flags(CLI::App&, missing_options& into, const std::string& group);

}  // namespace tgmap::cli
