// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace tgmap::cli::manual {

/// Returns a document that CMake embedded in the command, or an empty text. `name` is its path below docs/ without
/// ".md".
std::string_view document_text(std::string_view name);

}  // namespace tgmap::cli::manual
