// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace tgmap::cli {

/// Bounds the memory that `operator new` of the command gives out while it lives, on all threads together: beyond the
/// limit it throws std::bad_alloc. One at a time. Where a program does not use counted_new.cpp nothing is bounded.
class heap_limit {
 public:
  explicit heap_limit(std::uint64_t bytes) noexcept;
  ~heap_limit();
  heap_limit(const heap_limit&) = delete;
  heap_limit& operator=(const heap_limit&) = delete;

  bool reached() const noexcept;

  /// For operator new and delete. False: there may not be so much more.
  static bool take(std::size_t bytes) noexcept;
  static void give_back(std::size_t bytes) noexcept;
  static bool counts() noexcept;
};

}  // namespace tgmap::cli
