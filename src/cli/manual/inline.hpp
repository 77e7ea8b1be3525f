// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tgmap::cli::manual {

enum class run_style : unsigned char { plain, code, strong };

/// A piece of text in one style.
struct run {
  run_style style = run_style::plain;
  std::string text;
};

/// Takes the marks out of a text: `code`, **strong**, [text](link), of which the text stays, and \ before a mark.
std::vector<run> runs(std::string_view marked);

/// The text with marks before what would be taken for one.
std::string marked(std::string_view plain);

}  // namespace tgmap::cli::manual
