// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tgmap_test {

/// How often this executable has asked operator new for memory.
long allocations();

/// Seconds of processor time that this thread has used.
double processor_time();

}  // namespace tgmap_test
