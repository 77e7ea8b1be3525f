// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tgmap_test {

/// Returns how often this executable has called operator new.
long allocations();

}  // namespace tgmap_test
