// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tgmap_test {

/// How often this executable has asked operator new for memory.
long allocations();

}  // namespace tgmap_test
