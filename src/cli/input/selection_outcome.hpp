// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <tgmap/archive.hpp>
#include <tgmap/query/selection.hpp>
#include <vector>

#include "cli/input/target.hpp"
#include "collection/key_search.hpp"

namespace tgmap::cli {

class reporter;
struct session;

/// A selection in one archive.
struct finished_selection {
  const target& what;
  const archive& from;
  const selection& wanted;
  const indexed_selection& known;           ///< what the index tells of it
  const std::vector<std::string>& clauses;  ///< of -w, as given
  bool objects = false;                     ///< objects were to be selected
  bool any_seen = false;                    ///< the address has messages or objects
};

/// A `selection_outcome` notes whether the selections of a run selected anything. If nothing was selected, it prints
/// the reason at the end of the run: an empty address, a key that no message has, or a condition that no message
/// meets. If something was selected, it prints which keys of the selection no message has.
///
/// The keys are looked for in the first messages, at most `key_check::max_collected` in the whole run, until all are
/// found: usually in one. A key that has a column in the index is not looked for. If something was selected, neither is
/// a key without which nothing would be, nor one of `has` alone.
class selection_outcome {
 public:
  /// Returns that of a run. Creates it on first use.
  static selection_outcome& of(session&);

  /// Notes that something was selected in an archive.
  void record_match(const finished_selection&, session&);

  /// Notes that nothing was selected in an archive. Errors: tgmap::error.
  void record_empty(const finished_selection&, session&);

  /// Looks for the keys of a selection that is only explained.
  void record_explained(const finished_selection&, session&);

  /// Returns true if something was to be selected, and nothing was.
  bool is_empty() const noexcept { return !any_ && !files_.empty(); }

  /// Prints the hints.
  void report(reporter&) const;

 private:
  void note(const finished_selection&);
  void find_keys(const finished_selection&, session&);
  std::string reason() const;
  std::string absence_of(const metadata_key&) const;
  std::string next_step() const;

  bool any_ = false, any_seen_ = false, has_address_ = false, objects_ = false;
  std::set<std::string> files_{};
  std::vector<std::string> clauses_{};  ///< of -w
  std::optional<archives::key_search> keys_{};
};

}  // namespace tgmap::cli
