// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "cli/app/output.hpp"
#include "cli/manual/page.hpp"

namespace tgmap::cli::manual {

/// The page as lines of at most `width` characters, where words and code allow; bold where `to` may show it.
std::string as_text(const page&, std::size_t width, const output& to);

/// The same, as wide as the window, but no wider than is well read.
std::string as_text(const page&, const output& to);

}  // namespace tgmap::cli::manual
