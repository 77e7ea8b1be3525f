// SPDX-License-Identifier: Apache-2.0
// Counts every allocation of the process: heap.cpp replaces malloc and its relatives in programs that link it.
#pragma once

#include <cstdint>

namespace tgmap_bench {

struct heap_counts {
  std::uint64_t allocations = 0;  ///< calls so far
  std::uint64_t bytes = 0;        ///< requested so far
  std::int64_t live = 0;          ///< bytes allocated now, as rounded by the allocator
};

heap_counts heap_so_far() noexcept;

/// Returns the bytes of anonymous memory that this process has touched and still holds. Includes memory mapped without
/// malloc; excludes memory that was never touched.
std::uint64_t anonymous_resident_bytes();

/// Return the resident memory of this process, now and at its peak since `start_peak`.
std::uint64_t resident_bytes();
std::uint64_t peak_resident_bytes();
void start_peak();

}  // namespace tgmap_bench
