// SPDX-License-Identifier: Apache-2.0
#include "cli/manual/wrap.hpp"

#include <algorithm>

#include "cli/manual/inline.hpp"
#include "core/text/utf8.hpp"

namespace tgmap::cli::manual {

namespace {

/// What must stay together on a line.
std::vector<printed_line> words_of(std::string_view marked, const emphasis& bold) {
  const std::vector<run> pieces = runs(marked);
  const bool only_code = pieces.size() == 1;
  std::vector<printed_line> out;
  bool begun = false;
  const auto add = [&](const std::string& text, std::size_t width) {
    if (!begun) out.emplace_back();
    begun = true;
    out.back().text += text;
    out.back().width += width;
  };
  for (const run& piece : pieces) {
    if (piece.style == run_style::code) {
      const std::string shown = bold(piece.text);
      const bool ticks = shown == piece.text && !only_code;
      add(ticks ? "`" + piece.text + "`" : shown, core::code_point_count(piece.text) + (ticks ? 2 : 0));
      continue;
    }
    for (std::size_t at = 0; at < piece.text.size();) {
      const std::size_t end = std::min(piece.text.find(' ', at), piece.text.size());
      const std::string word = piece.text.substr(at, end - at);
      if (!word.empty()) add(piece.style == run_style::strong ? bold(word) : word, core::code_point_count(word));
      if (end < piece.text.size()) begun = false;
      at = end + 1;
    }
  }
  return out;
}

}  // namespace

std::vector<printed_line> wrapped(std::string_view marked, std::size_t width, const emphasis& bold) {
  std::vector<printed_line> out(1);
  for (const printed_line& word : words_of(marked, bold)) {
    if (out.back().width != 0 && out.back().width + 1 + word.width > width) out.emplace_back();
    const bool first = out.back().width == 0;
    out.back().text += (first ? "" : " ") + word.text;
    out.back().width += (first ? 0 : 1) + word.width;
  }
  return out;
}

}  // namespace tgmap::cli::manual
