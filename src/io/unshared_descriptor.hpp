// SPDX-License-Identifier: Apache-2.0
// Descriptors that belong to one process. POSIX.
#pragma once

#include <cstdint>
#include <utility>

namespace tgmap::io {

/// Returns how often this process was made by `fork` since the first call. An object that a child got from its parent
/// knows by a different number that its files are not its own.
std::uint32_t forks() noexcept;

/// An `unshared_descriptor` owns an open file that the process writes. A child made by `fork` closes its copy at once,
/// so that it keeps no lock and changes nothing. There the object is empty.
/// Thread safety: one thread at a time; any number of objects in any number of threads.
class unshared_descriptor {
 public:
  unshared_descriptor() noexcept = default;
  explicit unshared_descriptor(int descriptor) noexcept { reset(descriptor); }
  unshared_descriptor(const unshared_descriptor&) = delete;
  unshared_descriptor& operator=(const unshared_descriptor&) = delete;
  ~unshared_descriptor() { reset(); }

  int get() const noexcept { return descriptor_; }
  explicit operator bool() const noexcept { return descriptor_ >= 0; }

  /// Closes the file and takes another one, or none.
  void reset(int descriptor = -1) noexcept;

  /// Closes the file. Returns 0, or the number of the error, such as of bytes that a network could not store.
  int close() noexcept;

 private:
  friend void close_all_unshared() noexcept;
  int take() noexcept;

  int descriptor_ = -1;
  unshared_descriptor *before_ = nullptr, *after_ = nullptr;  // in the list of all, if there is a descriptor
};

}  // namespace tgmap::io
