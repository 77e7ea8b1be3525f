// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <tgmap/archive.hpp>
#include <tgmap/query/selection_search.hpp>
#include <tgmap/tools/address.hpp>
#include <utility>
#include <vector>

#include "collection/message_walk.hpp"

namespace tgmap::archives {

/// Counts and problems of a selection over messages of an archive.
struct tally : search_counts {
  std::uint64_t problem_count = 0, mismatches = 0;      ///< `mismatches`: hashes that do not match
  std::vector<std::pair<message, failure>> problems{};  ///< the first ones
  bool more = true;                                     ///< false: the callback asked to stop
  indexed_selection known{};                            ///< of the whole visit, for the report

  void add(const tally&);
  void add_problem(const message&, const failure&);
};

/// Returns the search in an address. It does not ask the index for one message. Errors: throws tgmap::error.
selection_search search_in(const archive_address&, const archive&, const selection&, bool of_objects,
                           search_purpose = search_purpose::visit);

/// Receives a selected message, or its object with the given number. The lookup finds the keys of the object, or of the
/// first object of the message that matches. Returns false to stop. May throw tgmap::error for one that cannot be read.
using selector_callback = std::function<bool(const message&, key_lookup&, std::optional<std::size_t> object)>;

/// Returns a receiver that notes problems in the tally. Lifetime: borrows both.
match_receiver receiver_of(const selector_callback&, tally&);

/// A `selector` visits the messages of an address, or their objects, that are selected.
class selector {
 public:
  selector(selection wanted, bool of_objects, search_purpose purpose = search_purpose::visit)
      : wanted_(std::move(wanted)), objects_(of_objects), purpose_(purpose) {}

  const selection& wanted() const noexcept { return wanted_; }

  /// Returns whether objects of an address are visited, not messages.
  bool of_objects(const archive_address& what) const noexcept { return objects_ || what.objects; }

  /// Returns the search for this selection in an address. Errors: throws tgmap::error.
  selection_search search(const archive_address& what, const archive& from) const {
    return search_in(what, from, wanted_, of_objects(what), purpose_);
  }

  /// Returns the same, which reads every message that is visited.
  selection_search search_without_index(const archive_address& what) const {
    return {{}, wanted_, {.of_objects = of_objects(what), .use_index = false}};
  }

  /// Visits a message, or those of its objects that the address names. Thread safety: callable from any number of
  /// threads, each with its own counts. Errors: throws tgmap::error if the address names one object that cannot be
  /// read.
  static void visit(const archive_address&, const message&, const selection_search&, const match_receiver&,
                    search_counts&);

  /// Returns the numbers of the objects of a selected message that match; nothing if the message matches as a whole: if
  /// everything is selected, or if it has no objects. Errors: throws tgmap::error.
  std::optional<std::vector<std::size_t>> matching_objects(const message&) const;

  /// Visits all messages of an address in order, until the callback returns false. Errors: throws tgmap::error.
  tally visit_all(
      const archive_address&, const archive&, const selector_callback&,
      const walk_progress& = [](std::uint64_t) {}) const;

 private:
  selection wanted_;
  bool objects_;
  search_purpose purpose_;
};

}  // namespace tgmap::archives
