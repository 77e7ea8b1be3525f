// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tgmap_test {

/// Lets `count` allocations succeed and all later ones fail; negative: none fails.
void fail_allocations_after(long count);

/// Allocations since the last call of fail_allocations_after.
long allocations();

}  // namespace tgmap_test
