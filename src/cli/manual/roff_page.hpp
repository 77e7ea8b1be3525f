// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "cli/manual/page.hpp"

namespace tgmap::cli::manual {

/// Formats a page for man(7), in ASCII.
std::string as_roff(const page&, std::string_view version);

/// Escapes a text for roff, also at the start of a line. `code` makes hyphens minus signs, so that commands can be
/// copied from the page.
std::string roff_text(std::string_view, bool code);

}  // namespace tgmap::cli::manual
