// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "cli/manual/page.hpp"

namespace tgmap::cli::manual {

/// The page in the language of man(7), in ASCII.
std::string as_roff(const page&, std::string_view version);

/// Text that comes out as it is, wherever it stands in a line. `code`: hyphens are minus signs, so that what is copied
/// from the page works.
std::string roff_text(std::string_view, bool code);

}  // namespace tgmap::cli::manual
