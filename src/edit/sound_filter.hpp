// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tgmap/error.hpp>
#include <tgmap/message.hpp>

#include "edit/hash_check.hpp"

namespace tgmap::edit {

/// A `sound_rule` says what is checked before messages and objects are copied.
enum class sound_rule : std::uint8_t {
  unchecked,
  verify,     ///< hashes; a mismatch ends the copying
  leave_out,  ///< hashes, and whether keys and descriptors can be read; what is damaged is left out
};

/// A `sound_filter` checks messages and objects before they are copied, and counts those that are left out.
class sound_filter {
 public:
  explicit sound_filter(sound_rule rule) : rule_(rule) {}

  bool leaves_out() const noexcept { return rule_ == sound_rule::leave_out; }

  /// Returns why a message of `file`, or one object of it, is not sound, with the number of the object. Incomplete
  /// messages are not checked. Counts what is left out.
  failure check(const std::string& file, const message& m, std::optional<std::size_t> object) {
    if (rule_ == sound_rule::unchecked || m.is_incomplete()) return {};
    failure why = object ? hashes_.check(file, m, *object) : hashes_.check(file, m);
    if (!why && leaves_out()) why = check_readable(m, object);
    if (!why) return why;
    const bool is_mismatch = why.code == make_error_code(errc::hash_mismatch);
    if (object && !is_mismatch) why.object = *object;
    if (leaves_out()) ++(is_mismatch ? mismatches_ : unreadable_);
    return why;
  }

  /// Counts messages that are left out because they cannot be read.
  void add_unreadable(std::uint64_t messages) noexcept { unreadable_ += messages; }

  std::uint64_t mismatches() const noexcept { return mismatches_; }  ///< left out because of a hash
  std::uint64_t unreadable() const noexcept { return unreadable_; }  ///< left out because it cannot be read
  std::uint64_t left_out() const noexcept { return mismatches_ + unreadable_; }

  const hash_check& hashes() const noexcept { return hashes_; }

 private:
  sound_rule rule_;
  hash_check hashes_{};
  std::uint64_t mismatches_ = 0, unreadable_ = 0;
};

}  // namespace tgmap::edit
