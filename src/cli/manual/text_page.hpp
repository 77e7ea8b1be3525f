// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "cli/app/output.hpp"
#include "cli/manual/page.hpp"

namespace tgmap::cli::manual {

/// Formats a page in lines of at most `width` characters, unless words or code are longer. Uses the styles of `to`.
std::string as_text(const page&, std::size_t width, const output& to);

/// Formats a page for the width of the window, limited to a readable length of lines.
std::string as_text(const page&, const output& to);

}  // namespace tgmap::cli::manual
