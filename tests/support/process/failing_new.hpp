// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tgmap_test {

/// Lets the next `count` allocations succeed and all later ones fail; negative: none fails.
void fail_allocations_after(long count);

/// Returns the number of allocations since the last call of fail_allocations_after.
long allocations();

}  // namespace tgmap_test
