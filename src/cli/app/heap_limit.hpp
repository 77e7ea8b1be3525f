// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace tgmap::cli {

/// A `heap_limit` limits the memory that `operator new` may allocate on all threads together while the object exists;
/// beyond the limit it throws std::bad_alloc. Only one may exist at a time. It works only in the command, whose
/// operator_new.cpp replaces `operator new`.
class heap_limit {
 public:
  explicit heap_limit(std::uint64_t bytes) noexcept;
  ~heap_limit();
  heap_limit(const heap_limit&) = delete;
  heap_limit& operator=(const heap_limit&) = delete;

  bool was_reached() const noexcept;

  /// Used by operator new and delete. `acquire` returns false if the limit does not allow that many more bytes.
  static bool acquire(std::size_t bytes) noexcept;
  static void release(std::size_t bytes) noexcept;
  static bool is_active() noexcept;
};

}  // namespace tgmap::cli
