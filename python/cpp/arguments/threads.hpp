// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/decode/executor.hpp>

namespace tgmap_python {

/// Returns an executor with that many threads, at most 1024; 0: one for each processor. It is made at its first use in
/// this process, so that a process that was forked, which has no threads but the one that forked, makes its own.
/// Lifetime: never destroyed. Thread safety: the lock of the interpreter must be held.
tgmap::executor& executor_of(unsigned threads);

}  // namespace tgmap_python
