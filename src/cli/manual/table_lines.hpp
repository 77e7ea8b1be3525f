// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/manual/block.hpp"
#include "cli/manual/wrap.hpp"

namespace tgmap::cli::manual {

/// A table as lines of at most `width` characters: columns as wide as their cells, and where that is too much, the
/// widest give way.
std::vector<std::string> table_lines(const block&, std::size_t width, const emphasis& bold);

}  // namespace tgmap::cli::manual
