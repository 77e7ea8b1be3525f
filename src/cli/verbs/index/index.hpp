// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <tgmap/tools/index.hpp>
#include <vector>

#include "cli/app/verb.hpp"
#include "cli/print/json.hpp"

namespace tgmap::cli {

// The verbs of `index`.
action declare_index_create(CLI::App&, session&);
action declare_index_check(CLI::App&, session&);
action declare_index_show(CLI::App&, session&);
action declare_index_drop(CLI::App&, session&);

/// Archives, and where their index is.
struct index_targets {
  std::vector<std::string> files;
  std::string index;  ///< for one archive; empty: beside it
  bool json = false;

  std::string index_of(const std::string& file) const { return index.empty() ? file + ".tgx" : index; }
};

/// Adds the archives, --index and --json.
void add_index_targets(CLI::App&, index_targets& into);

/// Returns the target of a whole archive; the name may have any characters.
target whole_archive(const std::string& file);

/// Throws usage_error for standard input, and for --index with several archives.
void check_index_targets(const index_targets&);

/// Prints a line about an index: `NAME: WORDS: 3 messages, 3 objects, 1 layout, 8.2 kB`, or a JSON object.
void print_summary(const index_targets&, session&, const std::string& file, std::string_view words,
                   const index_summary&);

/// Prints a table of the columns and what each costs, unless JSON is printed, which has them already.
void print_columns(const index_targets&, const std::vector<index_column>&, output&);

/// Throws the failure. It names the index instead of the archive if it is about the index file.
[[noreturn]] void throw_index_error(const std::string& index, const failure&);

}  // namespace tgmap::cli
