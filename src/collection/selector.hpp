// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <tgmap/archive.hpp>
#include <tgmap/query/selection.hpp>
#include <tgmap/tools/address.hpp>
#include <utility>
#include <vector>

#include "collection/message_walk.hpp"

namespace tgmap::archives {

/// Counts and problems of a selection over messages of an archive.
struct tally {
  std::uint64_t seen = 0, taken = 0;                    ///< messages or objects checked, and those selected
  std::uint64_t problem_count = 0, mismatches = 0;      ///< `mismatches`: hashes that do not match
  std::vector<std::pair<message, failure>> problems{};  ///< the first ones
  bool more = true;                                     ///< false: the callback asked to stop
  indexed_selection known{};                            ///< of the whole visit, for the report

  void add(const tally&);
  void add_problem(const message&, const failure&);
};

/// Returns what the index of an archive knows about a selection in an address. Errors: throws tgmap::error.
indexed_selection find_known(const archive_address&, const archive&, const selection&, bool of_objects);

/// Returns what is known of a message, or of one of its objects.
index_answer answer_for(const indexed_selection& known, const message&, std::optional<std::size_t> object = {});

/// Returns whether a message or an object is selected. A lookup of a selected message becomes one of its first object
/// that matches. Fails if that is not what the index knows.
bool is_selected(const selection&, key_lookup&, const message&, std::optional<std::size_t> object, index_answer known,
                 failure&);

/// Receives a selected message, or its object with the given number. The lookup finds the keys of the object, or of the
/// first object of the message that matches. Returns false to stop. May throw tgmap::error for one that cannot be read.
using selector_callback = std::function<bool(const message&, key_lookup&, std::optional<std::size_t> object)>;

/// A `selector` decides which messages of an address, or which of their objects, are selected.
class selector {
 public:
  /// Chooses whether a visit includes what the index knows to be selected.
  enum class purpose : std::uint8_t {
    visit,  ///< yes, and compares it with the archive
    count,  ///< no, since `indexed_selection::count` has its number
  };

  selector(selection wanted, bool of_objects, purpose what = purpose::visit)
      : wanted_(std::move(wanted)), objects_(of_objects), purpose_(what) {}

  purpose what() const noexcept { return purpose_; }
  const selection& wanted() const noexcept { return wanted_; }

  /// Returns whether objects of an address are visited, not messages.
  bool of_objects(const archive_address& what) const noexcept { return objects_ || what.objects; }

  /// Returns what the index of an archive knows about this selection in an address. Errors: throws tgmap::error.
  indexed_selection known(const archive_address& what, const archive& from) const {
    return find_known(what, from, wanted_, of_objects(what));
  }

  /// Calls the callback for the message, or for each of its objects, if selected. What the index knows to be selected
  /// and is not is a problem. Thread safety: callable from any number of threads, each with its own tally.
  void visit(const archive_address&, const message&, const indexed_selection& known, const selector_callback&,
             tally&) const;

  /// Visits all messages of an address in order, until the callback returns false. Errors: throws tgmap::error.
  tally visit_all(
      const archive_address&, const archive&, const selector_callback&,
      const walk_progress& = [](std::uint64_t) {}) const;

 private:
  void visit(const message&, key_lookup&, std::optional<std::size_t>, index_answer, const selector_callback&,
             tally&) const;
  void visit_object(const message&, const object&, index_answer, const selector_callback&, tally&) const;

  selection wanted_;
  bool objects_;
  purpose purpose_;
};

}  // namespace tgmap::archives
