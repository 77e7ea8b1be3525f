// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/target.hpp"

namespace tgmap::cli {

/// Throws a complaint when the output would be the target's file itself, by whatever names.
void refuse_to_overwrite(const target& input, const std::string& output);

}  // namespace tgmap::cli
