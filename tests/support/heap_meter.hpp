// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace tgmap_test {

/// Starts to count what malloc and its relatives allocate in this executable, operator new included.
void watch_heap();

/// Returns the peak of allocated memory since watch_heap(), in bytes beyond those that were allocated before. Counts
/// bytes that malloc reserved, even if they were never used.
std::size_t heap_peak();

}  // namespace tgmap_test
