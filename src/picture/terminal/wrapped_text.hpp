// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tgmap::picture {

/// Returns the text as lines of at most `width` characters, broken at two or more blanks, or between words if the text
/// between such blanks is longer than a line. A longer word has a line of its own.
std::string wrapped_text(std::string_view text, std::size_t width);

}  // namespace tgmap::picture
