// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace tgmap_test {

/// Starts to count what malloc and its relatives allocate in this executable, operator new included.
void watch_heap();

/// Returns the most memory held at once since then, beyond what was held before, in bytes that malloc reserved, touched
/// or not.
std::size_t heap_peak();

}  // namespace tgmap_test
