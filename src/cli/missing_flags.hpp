// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <tgmap/write/pipeline.hpp>

namespace tgmap::cli {

/// --allow-nan, --allow-inf and how masks are stored, as the reference implementation has them around any verb; those
/// that are there already are left as they are. `group`: empty: not shown in help. The whole command, which is no verb,
/// takes them from TENSOGRAM_ALLOW_NAN and its like too; what a command line says counts.
void add_missing_flags(CLI::App&, missing_options& into, const std::string& group);

}  // namespace tgmap::cli
