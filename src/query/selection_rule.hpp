// SPDX-License-Identifier: Apache-2.0
// The one place that decides what a selection matches, with an index and without.
#pragma once

#include <cstddef>
#include <tgmap/archive.hpp>
#include <tgmap/error.hpp>
#include <tgmap/query/indexed_selection.hpp>
#include <tgmap/query/metadata_key.hpp>
#include <tgmap/query/selection.hpp>

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A `selection_rule` decides what a selection matches. The index answers first: what it rules out is not read. What it
/// says to be selected is compared with the archive. Lifetime: borrows its arguments.
class selection_rule {
 public:
  /// `skips_known`: messages that the index says to be selected need no visit.
  selection_rule(const selection& wanted, const indexed_selection& known, bool skips_known = false) noexcept
      : wanted_(&wanted), known_(&known), skips_known_(skips_known) {}

  /// Returns the first message from this one on that must be visited.
  std::size_t next(std::size_t message) const noexcept;

  /// Returns the answer of the index for a message, or for one of its objects. It is unknown if the number of the
  /// message is not known.
  index_answer answer(optional_index message, optional_index object) const noexcept;

  /// Returns whether a message or an object matches; `object` is nothing for a message. Errors: those of
  /// selection::matches; index_mismatch if the answer is yes and it does not match.
  bool matches(key_lookup&, const message&, optional_index object, index_answer, failure&) const noexcept;

  /// Does the same as selection::first_match does it.
  selection_match first_match(key_lookup&, const message&, optional_index object, index_answer,
                              failure&) const noexcept;

  /// Calls `visit(number, message)` for each message in [next, end) that must be visited, until it returns false. Sets
  /// `next` to the number behind the last one visited. Errors: those of archive::at but the end of the archive.
  template <class Visit>
  void each_message(const archive& in, std::size_t& next, std::size_t end, failure& why, Visit&& visit) const {
    for (next = this->next(next); next < end; next = this->next(next)) {
      const message found = in.at(next, why);
      if (why.code == make_error_code(errc::out_of_range)) {
        why = {};
        return;
      }
      if (why || !visit(next++, found)) return;
    }
  }

  /// Calls `visit(number, answer)` for each object in [next, end) of a message that may be selected, until it returns
  /// false. Sets `next` likewise.
  template <class Visit>
  void each_object(optional_index message, std::size_t& next, std::size_t end, Visit&& visit) const {
    while (next < end) {
      const std::size_t j = next++;
      const index_answer known = answer(message, j);
      if (known != index_answer::no && !visit(j, known)) return;
    }
  }

 private:
  const selection* wanted_;
  const indexed_selection* known_;
  bool skips_known_;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
