// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <tgmap/archive.hpp>
#include <tgmap/query/selection_search.hpp>
#include <utility>
#include <vector>

#include "cli/app/session.hpp"
#include "cli/input/target.hpp"

namespace tgmap::cli {

struct selection_options;

/// Counts and problems of a selection over messages of a target.
struct tally : search_counts {
  std::uint64_t problem_count = 0, mismatches = 0;      ///< `mismatches`: hashes that do not match
  std::vector<std::pair<message, failure>> problems{};  ///< the first ones
  bool more = true;                                     ///< false: the callback asked to stop
  indexed_selection known{};                            ///< of the whole visit, for the report

  void add(const tally&);
  void add_problem(const message&, const failure&);
};

/// Returns the search in a target. It does not ask the index for one message. Errors: tgmap::error.
selection_search search_in(const target&, const archive&, const selection&, bool of_objects,
                           search_purpose = search_purpose::visit);

/// Receives a selected message, or its object with the given number. The lookup finds the keys of the object, or of the
/// first object of the message that matches. Returns false to stop. May throw tgmap::error for one that cannot be read.
using selector_callback = std::function<bool(const message&, key_lookup&, std::optional<std::size_t> object)>;

/// A `selector` decides which messages of a target, or which of their objects, are selected.
class selector {
 public:
  /// Errors: usage_error with the position of a mistake in a clause.
  explicit selector(const selection_options&, search_purpose = search_purpose::visit);

  /// Returns the search for this selection in a target. Errors: tgmap::error.
  selection_search search(const target&, const archive&) const;

  /// Returns the same, which reads every message that is visited.
  selection_search search_without_index(const target& what) const {
    return {{}, wanted_, {.of_objects = objects_ || what.objects, .use_index = false}};
  }

  /// Visits a message, or those of its objects that the target names. Thread safety: callable from any number of
  /// threads, each with its own tally. Errors: cli_error for an object that does not exist.
  static void visit(const target&, const message&, const selection_search&, const match_receiver&, search_counts&);
  static void visit(const target&, const message&, const selection_search&, const selector_callback&, tally&);

  /// Returns the numbers of the objects of a selected message that match; nothing if the message matches as a whole: if
  /// no selection is given, with --where-plain, or if it has no objects. Errors: tgmap::error.
  std::optional<std::vector<std::size_t>> matching_objects(const message&) const;

  /// Visits all messages of a target in order, until the callback returns false.
  tally visit_all(const target&, const archive&, session&, const selector_callback&) const;

  /// Reports problems and damage, and notes in the session whether anything was selected.
  void report(const target&, const archive&, const tally&, session&) const;

 private:
  selection wanted_;
  std::vector<std::string> clauses_;
  bool objects_, is_plain_;
  search_purpose purpose_;
};

}  // namespace tgmap::cli
