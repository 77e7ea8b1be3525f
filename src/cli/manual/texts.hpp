// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace tgmap::cli::manual {

/// A document that CMake has put into the command, by its path below docs/ without ".md"; empty when there is none.
std::string_view text(std::string_view name);

}  // namespace tgmap::cli::manual
