// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <tgmap/archive.hpp>
#include <tgmap/query/metadata_key.hpp>
#include <tgmap/query/selection.hpp>
#include <tgmap/query/sort_reader.hpp>
#include <utility>
#include <vector>

#include "cli/app/session.hpp"
#include "cli/input/selector.hpp"
#include "cli/input/target.hpp"

namespace tgmap::cli {

/// Values of -w, --where-plain, --objects, --sort and --limit.
struct selection_options {
  std::vector<std::string> clauses;
  bool plain = false;
  bool objects = false;
  std::string sort;
  std::uint64_t limit = UINT64_MAX;

  /// Returns the conjunction of all clauses. Errors: usage_error with the position of a mistake.
  selection compiled() const;

  /// Returns the keys of --sort. Errors: usage_error.
  std::vector<sort_column> order() const;
};

/// Adds -w and --where-plain.
void add_where(CLI::App&, selection_options& into);

/// Adds all of these options except --objects, which each verb describes itself.
void add_selection(CLI::App&, selection_options& into);

/// Parses a list of keys as tgmap::parse_keys does. Errors: usage_error.
std::vector<metadata_key> parse_keys(const std::string&);

/// Throws usage_error for a key that is the name of no property.
[[noreturn]] void throw_key_error(const std::string& name);

/// Returns a validator that rejects an empty list of keys.
CLI::Validator non_empty_keys();

/// Throws usage_error with the position of a mistake in a key or a selection.
[[noreturn]] void throw_selection_error(const std::string& text, const failure&);

/// Receives a selected message, or its object with the given number, and its keys. Returns false to stop.
using selection_callback =
    std::function<bool(const target&, const message&, key_lookup&, std::optional<std::size_t> object)>;

/// Receives the problems of the selected messages of a target, instead of reporting them as failures.
using problem_callback = std::function<void(const target&, const tally&)>;

/// Opens the archive of a target.
using archive_opener = std::function<archive(const target&)>;

/// Visits every selected message of the targets, or every selected object, in file order or sorted over all files.
/// Reports and skips what cannot be read.
/// Errors: usage_error, before anything is opened.
void for_each_selected(const std::vector<target>&, const selection_options&, session&, const selection_callback&,
                       object_lookup = object_lookup::index);
void for_each_selected(const std::vector<target>&, const selection_options&, session&, const selection_callback&,
                       const archive_opener&, const problem_callback& = {});

}  // namespace tgmap::cli
