// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tgmap::cli {

/// The files that hold frames, one each.
void add_frame_files(CLI::App&, std::vector<std::string>& into);

/// Throws usage_error: standard input comes twice.
void check_frame_files(const std::vector<std::string>&);

}  // namespace tgmap::cli
