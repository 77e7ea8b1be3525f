// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tgmap/message.hpp>
#include <tgmap/query/metadata_key.hpp>
#include <vector>

#include "cli/input/known_keys.hpp"

namespace tgmap::cli {

/// Returns the next step for a key that one message lacks: "did you mean 'mars.param'?", where `near` is the key that
/// is spelled most like it, or empty.
std::string missing_key_advice(const metadata_key&, const std::string& near, std::string_view file);

/// Returns the same for a key that no message has.
std::string absent_key_advice(const metadata_key&, const std::string& near, std::string_view file);

/// A `key_check` notes which of some keys occur in the messages that a verb visits, in one pass with the verb's work.
/// If one occurs nowhere, it knows an existing key with a similar name.
class key_check {
 public:
  /// Number of messages whose keys are collected for the suggestion.
  static constexpr std::size_t max_collected = 1000;

  explicit key_check(std::vector<metadata_key> keys);

  /// Looks for the keys in a message or one of its objects. Does nothing once all of them were found.
  void see(const message&, key_lookup&);

  bool is_complete() const noexcept { return missing_.empty(); }
  std::size_t seen() const noexcept { return seen_; }

  /// Returns the keys that nothing had. Empty if nothing was seen, or if the keys of a message could not be read.
  std::vector<metadata_key> missing() const;
  std::string nearest(const metadata_key& wanted) const { return known_.nearest(wanted.text()); }

 private:
  std::vector<metadata_key> missing_;
  known_keys known_{};
  std::size_t seen_ = 0;
  std::uint64_t last_ = UINT64_MAX;  ///< offset of the last message whose keys were collected
  bool is_unsure_ = false;
};

}  // namespace tgmap::cli
