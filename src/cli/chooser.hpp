// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <tgmap/archive.hpp>
#include <tgmap/query/selection.hpp>
#include <utility>
#include <vector>

#include "cli/session.hpp"
#include "cli/target.hpp"

namespace tgmap::cli {

struct selection_options;

/// What came of looking at some messages of a target.
struct tally {
  std::uint64_t seen = 0, taken = 0;
  std::uint64_t problem_count = 0;
  std::vector<std::pair<message, failure>> problems{};  ///< the first ones
  bool more = true;                                     ///< is wanted

  void add(const tally&);
  void add_problem(const message&, const failure&);
};

/// Takes a message, or the object of it with that number; false: no more is wanted. Unreadable ones throw tgmap::error.
using chosen_taker = std::function<bool(const message&, key_lookup&, std::optional<std::size_t> object)>;

/// Which messages of a target, or which objects of them, are selected. Knows nothing of order and of output.
class chooser {
 public:
  /// Throws usage_error that tells where a clause cannot be read.
  explicit chooser(const selection_options&);

  /// Gives what is selected of one message. From any number of threads, each with a tally of its own.
  void look_at(const target&, const message&, const chosen_taker&, tally&) const;

  /// Tells what could not be read, that there is damage, and, where nothing at all is selected for want of a key, which
  /// key is spelled like it.
  void report(const target&, const archive&, const tally&, session&) const;

 private:
  void look_at(const message&, key_lookup&, std::optional<std::size_t>, const chosen_taker&, tally&) const;
  void look_at_object(const message&, const object&, const chosen_taker&, tally&) const;
  void say_what_is_not_there(const target&, const archive&, session&) const;

  selection wanted_;
  bool objects_;
};

}  // namespace tgmap::cli
