// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tgmap/message.hpp>

#include "cli/app/session.hpp"
#include "cli/input/hash_check.hpp"
#include "cli/input/selector.hpp"
#include "cli/input/target.hpp"

namespace tgmap::cli {

/// A `sound_filter` checks messages and objects before they are copied. Those that are not sound end the run, or are
/// left out and counted.
class sound_filter {
 public:
  enum class mode : std::uint8_t { off, verify, leave_out };

  sound_filter(mode how, session& run) : mode_(how), run_(run) {}

  bool leaves_out() const noexcept { return mode_ == mode::leave_out; }

  enum class verdict : std::uint8_t { copy, leave_out, stop };
  /// Checks a message, or one object of it, and reports a problem.
  verdict check(const target&, const message&, std::optional<std::size_t> object);

  /// Counts and reports messages whose keys or objects cannot be read.
  void leave_out(const target&, const tally&);

  std::uint64_t left_out() const noexcept { return mismatches_ + unreadable_; }

  /// Prints how much was left out and what has no hash. `what` is "message" or "object".
  void report(const std::string& output, std::string_view what) const;

 private:
  void report(const target&, const message&, const failure&);

  const mode mode_;
  session& run_;
  hash_check hashes_;
  std::uint64_t mismatches_ = 0, unreadable_ = 0;
};

}  // namespace tgmap::cli
