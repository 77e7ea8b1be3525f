// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "cli/manual/block.hpp"

namespace tgmap::cli::manual {

/// Reads the Markdown that the documentation uses: headings with #, paragraphs, lists with "- ", fenced code, tables.
blocks parse_markdown(std::string_view);

/// The blocks below the headings of that level whose text begins so, up to the next heading of that level or above.
/// With `headed`, each heading comes too.
blocks section(const blocks&, int level, std::string_view beginning, bool headed);

/// The blocks before the first heading of that level; a title (level 1) is left out.
blocks before_sections(const blocks&, int level);

}  // namespace tgmap::cli::manual
