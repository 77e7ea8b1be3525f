// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manual/command_model.hpp"
#include "manual/markdown.hpp"

namespace tgmap::manual {

/// One page of the manual, as `--help`, `tgmap help` and `man` show it.
struct page {
  std::string name;        ///< "tgmap-ls", "tgmap-tens-show"
  int section = 1;         ///< of the manual: 1 commands, 5 formats, 7 the rest
  std::string summary;     ///< one line
  std::string usage{};     ///< empty for topics
  blocks body{};           ///< headings have level 2 and below
  std::string see_also{};  ///< comma-separated names of verbs and topics, and "tgmap"
};

/// Returns the page of the whole command or of a verb. Options come from their declarations, all other text from
/// docs/manual/.
page command_page(const verb_model& command);
page verb_page(const verb_model& verb);

/// A page that does not describe a verb.
struct topic {
  std::string_view name, summary;
  int section;                ///< of the manual
  std::string_view document;  ///< the text that it is part of
  std::string_view headings;  ///< prefixes of the headings of its sections, `one|other`
  std::string_view see_also;
};

const std::vector<topic>& topics();
page topic_page(const topic&);

/// Returns all names for find_page(): "ls", "tens", "tens-show", "where".
std::vector<std::string> page_names(const verb_model& command);

/// Returns the page of a verb, of a topic or of "tgmap".
std::optional<page> find_page(const verb_model& command, std::string_view name);

/// Returns all pages, for `man`.
std::vector<page> all_pages(const verb_model& command);

/// Divides a list, and removes blanks at the ends of its parts.
std::vector<std::string_view> parts_of(std::string_view list, char separator);

/// Returns the reference to a name in `see_also`, such as "tgmap-ls(1)".
std::string man_reference(std::string_view name);

/// Returns the names of properties, such as "dtype" and "@offset", from docs/selection.md.
std::vector<std::string> property_names();

/// Returns a document that CMake embedded in the command, or an empty text. `name` is its path below docs/ without
/// ".md".
std::string_view document_text(std::string_view name);

// Formats of a page: text for a window, and roff for man.

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

/// Formats a page for a window of `columns` characters: in lines of 40 to 100 characters, unless words or code are
/// longer.
std::string as_text(const page&, std::size_t columns, const emphasis& bold);

/// Formats a page for man(7), in ASCII.
std::string as_roff(const page&, std::string_view version);

/// Escapes a text for roff, also at the start of a line. `code` makes hyphens minus signs, so that commands can be
/// copied from the page.
std::string roff_text(std::string_view, bool code);

}  // namespace tgmap::manual
