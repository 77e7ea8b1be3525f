// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace tgmap_test {

/// What becomes of a call that changes a file: `writev`, `pwrite`, `ftruncate`, `fdatasync`.
enum class writes {
  as_ever,
  killed_before,  ///< the process dies, as by a signal, and nothing of the call is done
  killed_within,  ///< half of its bytes arrive
  killed_after,
  interrupted,  ///< EINTR, without any effect
  shortened,    ///< half of its bytes, which is no error
  failing,      ///< EIO, after half of its bytes
};

/// From now on the call of that number, from 0, is disturbed so, and with `ever_after` all later ones too.
void disturb_write(long which, writes how, bool ever_after = false);

/// Such calls since then.
long writes_made();

}  // namespace tgmap_test
