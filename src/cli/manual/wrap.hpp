// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tgmap::cli::manual {

/// A line as it is printed, and the characters of it that show.
struct printed_line {
  std::string text;
  std::size_t width = 0;
};

/// Makes text stand out; gives it back unchanged where that cannot be.
using emphasis = std::function<std::string(std::string_view)>;

/// Marked text in lines of at most `width` characters, unless a single word is longer. Code is not broken; it shows
/// bold, or where that cannot be in its backticks, unless there is nothing but code.
std::vector<printed_line> wrapped(std::string_view marked, std::size_t width, const emphasis& bold);

}  // namespace tgmap::cli::manual
