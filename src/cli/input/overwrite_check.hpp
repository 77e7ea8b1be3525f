// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/input/target.hpp"

namespace tgmap::cli {

/// Checks that the output is not the target's file, under any name. Errors: cli_error.
void refuse_to_overwrite(const target& input, const std::string& output);

/// Checks the output of verbs that may replace an input because they write a temporary file first. An inherited
/// descriptor (`- 1<>x.tgm`) is written in place, so it must not be an input unless it appends. Errors: cli_error.
void refuse_to_overwrite_in_place(const std::vector<target>& inputs, const std::string& output);

}  // namespace tgmap::cli
