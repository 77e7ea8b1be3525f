// SPDX-License-Identifier: Apache-2.0
// Every allocation of the process, counted: malloc and its relatives are replaced in programs that link heap.cpp.
#pragma once

#include <cstdint>

namespace tgmap_bench {

struct heap_counts {
  std::uint64_t allocations = 0;  ///< calls so far
  std::uint64_t bytes = 0;        ///< asked for so far
  std::int64_t live = 0;          ///< bytes held now, as the allocator rounds them
};

heap_counts heap_so_far() noexcept;

/// Bytes of anonymous memory that this process has touched and still holds: what is allocated but untouched is not in
/// it, what was mapped past malloc is.
std::uint64_t anonymous_resident_bytes();

/// All memory of this process that lies in RAM, now and at its height since `start_peak`.
std::uint64_t resident_bytes();
std::uint64_t peak_resident_bytes();
void start_peak();

}  // namespace tgmap_bench
