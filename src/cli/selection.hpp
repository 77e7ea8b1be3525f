// SPDX-License-Identifier: Apache-2.0
// What verbs work on: which messages or objects of the targets, in which order, and which of their keys.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <tgmap/archive.hpp>
#include <tgmap/query/selection.hpp>
#include <vector>

#include "cli/sorting.hpp"
#include "cli/verb.hpp"

namespace tgmap::cli {

/// -w, --where-plain, --objects, --sort and --limit.
struct selection_options {
  std::vector<std::string> clauses;
  bool plain = false;
  bool objects = false;
  std::string sort;
  std::uint64_t limit = UINT64_MAX;

  /// All clauses together. Throws usage_error that tells where one cannot be read.
  selection compiled() const;
};

/// Adds -w and --where-plain.
void add_where(CLI::App&, selection_options& into);

/// Adds all of it but --objects, whose meaning a verb tells.
void add_selection(CLI::App&, selection_options& into);

/// The keys between the commas of -p, trimmed; an empty one is never found. Throws usage_error.
std::vector<metadata_key> parse_keys(const std::string&);

/// What an option takes that is not to be left empty.
CLI::Validator named_keys();

/// Throws usage_error that tells where a key or a selection cannot be read.
[[noreturn]] void refuse_text(const std::string& text, const failure&);

/// Takes what is selected, one after another: a message, or the object of it with that number, and its keys; false: no
/// more is wanted.
using selected_taker =
    std::function<bool(const target&, const message&, key_lookup&, std::optional<std::size_t> object)>;

/// Opens the archive of a target in a way of its own.
using archive_opener = std::function<archive(const target&)>;

/// Gives every message of the targets that is selected, or every object: in the order of the files, or sorted over all
/// of them. What cannot be read is reported and passed over; where nothing at all is selected for want of a key, a key
/// that is spelled like it is named. Throws usage_error before it opens anything.
void for_each_selected(const std::vector<target>&, const selection_options&, session&, const selected_taker&,
                       object_lookup = object_lookup::index);
void for_each_selected(const std::vector<target>&, const selection_options&, session&, const selected_taker&,
                       const archive_opener&);

/// "did you mean 'mars.param'?", or what else to do about a key that is not there.
std::string advice_on_key(const metadata_key&, key_lookup&, std::string_view file);

}  // namespace tgmap::cli
