// SPDX-License-Identifier: Apache-2.0
// Size and time of the last change of a file, by which a change of its bytes is noticed.
#pragma once

#include <cstdint>
#include <optional>

namespace tgmap::io {

class file;

/// Size of a file and time of its last change, read at once.
struct file_stamp {
  std::uint64_t size = 0;
  std::uint64_t time = 0;  ///< in nanoseconds since 1970; 0: not known

  bool operator==(const file_stamp&) const noexcept = default;
};

/// Returns the steps in which a time was kept, in nanoseconds: the largest power of ten that divides it, at most a
/// second.
std::uint64_t resolution_of(std::uint64_t time) noexcept;

/// Returns whether a time tells one state of a file from another. Tools that set times to a fixed value use 0 or the
/// first minute of 1970, 1980 or 2000.
bool says_something(std::uint64_t time) noexcept;

/// Returns whether two stamps are those of the same bytes. Times are compared at the coarser resolution of the two,
/// because copies may keep whole seconds only. Times that say nothing are never the same.
bool is_same_state(const file_stamp&, const file_stamp&) noexcept;

/// Returns the stamp of a file once a further change would get another time: waits until the clock of its file system
/// is 20 ms later than its time, or 2 s if the time has whole seconds or the file system is on a network. Returns
/// nothing if the time says nothing or is in the future, or if the file does not stop changing.
std::optional<file_stamp> settled_stamp(const file&);

}  // namespace tgmap::io
