// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/manual/block.hpp"

namespace tgmap::cli::manual {

/// One page of the manual, which `--help`, `tgmap help` and `man` show alike.
struct page {
  std::string name;        ///< "tgmap-ls", "tgmap-tens-show"
  int section = 1;         ///< of the manual: 1 commands, 5 formats, 7 the rest
  std::string summary;     ///< one line
  std::string usage{};     ///< of the command or a verb
  blocks body{};           ///< headings of level 2 and below
  std::string see_also{};  ///< names of verbs and topics between commas, and "tgmap"
};

/// The page of the command as a whole, or of a verb of it or below one: options as declared, all else from
/// docs/manual/.
page command_page(const CLI::App& command);
page verb_page(const CLI::App& verb);

/// What there is to read about that is no verb.
struct topic {
  std::string_view name, summary;
  int section;                 ///< of the manual
  std::string_view document;   ///< that it is part of, among the texts
  std::string_view beginning;  ///< of the headings of its sections, `begin|other`
  std::string_view see_also;
};

const std::vector<topic>& topics();
page topic_page(const topic&);

/// What find_page() knows: "ls", "tens", "tens-show", "where".
std::vector<std::string> page_names(const CLI::App& command);

/// The page of a verb or topic, or of "tgmap".
std::optional<page> find_page(const CLI::App& command, std::string_view name);

/// Every page, for `man`.
std::vector<page> all_pages(const CLI::App& command);

/// "tgmap-ls(1)" for a name in `see_also`; itself when nothing is called so.
std::string reference(std::string_view name);

/// The names of properties, "dtype" and "@offset", as docs/selection.md lists them.
std::vector<std::string> fact_names();

}  // namespace tgmap::cli::manual
