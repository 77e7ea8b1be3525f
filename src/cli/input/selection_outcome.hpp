// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <tgmap/archive.hpp>
#include <tgmap/query/selection.hpp>
#include <vector>

#include "cli/input/key_check.hpp"
#include "cli/input/target.hpp"

namespace tgmap::cli {

class reporter;
struct session;

/// A selection that selected nothing in one archive.
struct empty_selection {
  const target& what;
  const archive& from;
  const selection& wanted;
  const std::vector<std::string>& clauses;  ///< of -w, as given
  bool objects = false;                     ///< objects were to be selected
  bool any_seen = false;                    ///< the address has messages or objects
};

/// A `selection_outcome` notes whether the selections of a run selected anything. If nothing was selected, it prints
/// the reason at the end of the run: an empty address, a key that no message has, or a condition that no message
/// meets.
class selection_outcome {
 public:
  void record_match() noexcept { any_ = true; }

  /// Notes that nothing was selected in an archive. Looks for the keys of the selection in the first messages, at most
  /// `key_check::max_collected` in the whole run. Errors: tgmap::error.
  void record_empty(const empty_selection&, session&);

  /// Returns true if something was to be selected, and nothing was.
  bool is_empty() const noexcept { return !any_ && !files_.empty(); }

  /// Prints the hint if nothing was selected.
  void report(reporter&) const;

 private:
  void find_keys(const empty_selection&, session&);
  std::string reason() const;
  std::string next_step() const;

  bool any_ = false, any_seen_ = false, has_address_ = false, objects_ = false;
  std::set<std::string> files_{};
  std::vector<std::string> clauses_{}, texts_{};  ///< of -w, and of the keys in it
  std::optional<key_check> keys_{};
  std::size_t examined_ = 0;  ///< messages in which the keys were looked for
  bool is_cut_ = false;       ///< there are more messages
};

}  // namespace tgmap::cli
