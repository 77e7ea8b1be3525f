// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace tgmap_test {

/// Starts to count what malloc and its relatives allocate in this executable, operator new included.
void watch_heap();

/// Returns the peak of allocated memory since watch_heap(), in bytes beyond those that were allocated before. Counts
/// bytes that malloc reserved, even if they were never used.
std::size_t heap_peak();

/// Returns the number of allocations since watch_heap(), and their bytes. A block that was resized counts as allocated
/// again.
std::size_t heap_allocations();
std::size_t heap_allocated();

/// Returns the bytes that are allocated now.
std::size_t heap_size();

}  // namespace tgmap_test
