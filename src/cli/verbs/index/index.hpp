// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/tools/index.hpp>
#include <vector>

#include "cli/command/verb.hpp"
#include "cli/output/output_options.hpp"
#include "cli/print/json.hpp"

namespace tgmap::cli {

// The verbs of `index`.
action declare_index_create(CLI::App&, session&);
action declare_index_update(CLI::App&, session&);
action declare_index_check(CLI::App&, session&);
action declare_index_show(CLI::App&, session&);
action declare_index_drop(CLI::App&, session&);

/// Archives, and where their index is.
struct index_targets {
  std::vector<std::string> files;
  std::string index;  ///< for one archive; empty: beside it
  bool json = false;
};

/// Adds the archives, --index, --cache and --json.
void add_index_targets(CLI::App&, session&, index_targets& into);

/// Calls `work` with each archive; none is opened with an index. Errors: usage_error for standard input, and for
/// --index with several archives or with the cache.
void for_each_archive(const index_targets&, session&, const std::function<void(const std::string& file)>& work);

/// Returns the path of the index of an archive. Throws cli_error if it should be in the cache and is not.
std::string find_index(const index_targets&, const session&, const std::string& file);

/// Returns what an index says of itself. Errors: as throw_index_error.
index_summary read_summary(const std::string& index);

/// An `index_line` is a line about an index without its numbers.
struct index_line {
  const std::string& file;   ///< the archive
  const std::string& index;  ///< the path of the index
  std::string_view state;    ///< "created"
  std::optional<index_trust> trust{};
  std::optional<bool> is_current{};
  const index_summary* before = nullptr;  ///< what it described before; null: that does not matter
};

/// Writes an index file by `make`, which gets a sink, and replaces one that is there.
index_summary write_index(const std::string& index, output_options, session&,
                          const std::function<index_summary(sink&, failure&)>& make);

/// Marks damage, and says how many bytes at the end of the archive are not in its index.
void report_rest(session&, const std::string& file, const archive&, const index_summary&);

/// Says that an index is not current, unless it was stamped.
void report_unstamped(session&, const std::string& file, const index_summary&);

/// Says how many messages of the archive an index that was checked does not list.
void report_unlisted(session&, const std::string& file, const archive&, const index_summary&);

/// Prints a line about an index: `NAME: STATE: 3 messages, 3 objects, 1 layout, 8.2 kB`, or a JSON object.
void print_summary(const index_targets&, session&, const index_line&, const index_summary&);

/// Prints a table of the columns and what each costs, unless JSON is printed, which has them already.
void print_columns(const index_targets&, const std::vector<index_column>&, output&);

/// Throws the failure. It names the index instead of the archive if it is about the index file.
[[noreturn]] void throw_index_error(const std::string& index, const failure&);

}  // namespace tgmap::cli
