// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/app/session.hpp"
#include "cli/input/target.hpp"
#include "collection/selector.hpp"

namespace tgmap::cli {

struct selection_options;

using archives::search_in;
using archives::selector_callback;
using archives::tally;

/// A `selector` is made of the options of a verb, and reports what it selected.
class selector : public archives::selector {
 public:
  /// Errors: usage_error with the position of a mistake in a clause.
  explicit selector(const selection_options&, search_purpose = search_purpose::visit);

  /// Does the same as the selector of the library. With --where-plain, messages match as a whole.
  std::optional<std::vector<std::size_t>> matching_objects(const message& m) const {
    return is_plain_ ? std::nullopt : archives::selector::matching_objects(m);
  }

  /// Does the same as the selector of the library. Errors: cli_error, which says what there is, if the target names an
  /// object that does not exist.
  static void visit(const target&, const message&, const selection_search&, const match_receiver&, search_counts&);
  static void visit(const target& what, const message& m, const selection_search& search, const selector_callback& take,
                    tally& sum) {
    visit(what, m, search, archives::receiver_of(take, sum), sum);
  }

  /// Visits all messages of a target in order, until the callback returns false, with a progress bar.
  tally visit_all(const target&, const archive&, session&, const selector_callback&) const;

  /// Reports problems and damage, and notes in the session whether anything was selected.
  void report(const target&, const archive&, const tally&, session&) const;

 private:
  std::vector<std::string> clauses_;
  bool is_plain_;
};

}  // namespace tgmap::cli
