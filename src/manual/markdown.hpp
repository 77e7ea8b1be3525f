// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tgmap::manual {

enum class block_kind : unsigned char {
  heading,    ///< `text`, with `level` from 1
  paragraph,  ///< `text`
  list,       ///< `items`
  code,       ///< `text`, printed verbatim
  table,      ///< `rows`; the first row is the header if `has_header`
};

/// One block of a manual page, parsed from Markdown or made from declared options. Text, items and cells may have
/// inline marks; see parse_inline(). Code has none.
struct block {
  block_kind kind = block_kind::paragraph;
  int level = 0;
  std::string text{};
  std::vector<std::string> items{};
  std::vector<std::vector<std::string>> rows{};
  bool has_header = true;
};

using blocks = std::vector<block>;

inline block heading(int level, std::string text) { return {block_kind::heading, level, std::move(text)}; }
inline block paragraph(std::string text) { return {block_kind::paragraph, 0, std::move(text)}; }

/// Returns a table of terms and their descriptions.
inline block definitions(std::vector<std::vector<std::string>> rows) {
  return {block_kind::table, 0, {}, {}, std::move(rows), false};
}

enum class text_style : unsigned char { plain, code, strong };

/// A piece of text in one style.
struct styled_text {
  text_style style = text_style::plain;
  std::string text;
};

/// Parses the inline marks `code`, **strong**, [text](link) and \ before a mark. Keeps only the text of links.
std::vector<styled_text> parse_inline(std::string_view marked);

/// Escapes characters that parse_inline() would take for marks.
std::string escape_markdown(std::string_view plain);

/// Parses the Markdown of the documentation: headings with #, paragraphs, lists with "- ", fenced code and tables.
blocks parse_markdown(std::string_view);

/// Returns the blocks below all headings of that level whose text starts with `prefix`, up to the next heading of that
/// level or above. `with_headings` includes the headings.
blocks section(const blocks&, int level, std::string_view prefix, bool with_headings);

/// Returns the blocks before the first heading of that level, without the title.
blocks before_sections(const blocks&, int level);

}  // namespace tgmap::manual
