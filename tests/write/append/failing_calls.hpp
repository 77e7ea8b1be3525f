// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace tgmap_test {

/// Outcome of a call that changes a file: `writev`, `pwrite`, `ftruncate`, `fdatasync`.
enum class call_outcome {
  unchanged,
  killed_before,  ///< SIGKILL before the call has any effect
  killed_within,  ///< SIGKILL after half of its bytes
  killed_after,   ///< SIGKILL after the call
  interrupted,    ///< EINTR without any effect
  partial,        ///< half of its bytes, which is not an error
  failing,        ///< EIO after half of its bytes
};

/// Sets the outcome of call `which`, counted from 0 from now on, and with `all_later` of all calls after it. -1: none.
void disturb_call(long which, call_outcome how, bool all_later = false);

}  // namespace tgmap_test
