// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace tgmap_test {

/// Counts what malloc and its like give out in this executable, operator new included, from now on.
void watch_heap();

/// The most that was held at once since then, beyond what was held then; in bytes that malloc set aside, whether they
/// were touched or not.
std::size_t heap_peak();

}  // namespace tgmap_test
