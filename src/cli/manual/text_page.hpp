// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/app/output.hpp"
#include "cli/manual/markdown.hpp"
#include "cli/manual/page.hpp"

namespace tgmap::cli::manual {

/// A printed line and the number of its visible characters.
struct printed_line {
  std::string text;
  std::size_t width = 0;
};

/// Emphasizes a text, or returns it unchanged if the output has no styles.
using emphasis = std::function<std::string(std::string_view)>;

/// Breaks marked text into lines of at most `width` characters. Never breaks words or code. Code is bold, or keeps its
/// backticks if the output has no styles and there is other text.
std::vector<printed_line> wrap(std::string_view marked, std::size_t width, const emphasis& bold);

/// Formats a table in lines of at most `width` characters. Columns are as wide as their cells; the widest ones shrink
/// if the table is too wide.
std::vector<std::string> table_lines(const block&, std::size_t width, const emphasis& bold);

/// Formats a page in lines of at most `width` characters, unless words or code are longer. Uses the styles of `to`.
std::string as_text(const page&, std::size_t width, const output& to);

/// Formats a page for the width of the window, limited to a readable length of lines.
std::string as_text(const page&, const output& to);

}  // namespace tgmap::cli::manual
