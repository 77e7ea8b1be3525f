// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tgmap::cli {

/// A `heap_limit` limits the memory that `operator new` may allocate on all threads together while the object exists;
/// beyond the limit it throws std::bad_alloc. Only one may exist at a time. It works only in the command, whose
/// main.cpp replaces `operator new`.
class heap_limit {
 public:
  explicit heap_limit(std::uint64_t bytes) noexcept {
    left_ = static_cast<std::int64_t>(std::min<std::uint64_t>(bytes, INT64_MAX));
    was_reached_ = false;
    is_set_ = true;
  }
  ~heap_limit() { is_set_ = false; }
  heap_limit(const heap_limit&) = delete;
  heap_limit& operator=(const heap_limit&) = delete;

  bool was_reached() const noexcept { return was_reached_; }

  // Used by operator new and delete.

  static bool is_active() noexcept { return is_set_.load(std::memory_order_relaxed); }

  /// Returns false if the limit does not allow that many more bytes.
  static bool acquire(std::size_t bytes) noexcept {
    const auto wanted = static_cast<std::int64_t>(bytes);
    if (left_.fetch_sub(wanted, std::memory_order_relaxed) >= wanted) return true;
    left_.fetch_add(wanted, std::memory_order_relaxed);
    was_reached_ = true;
    return false;
  }

  static void release(std::size_t bytes) noexcept {
    left_.fetch_add(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
  }

 private:
  static inline std::atomic<bool> is_set_{false}, was_reached_{false};
  static inline std::atomic<std::int64_t> left_{0};  ///< in bytes
};

}  // namespace tgmap::cli
