// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/error.hpp>
#include <tgmap/message.hpp>

namespace tgmap::edit {

/// Returns `why` with the number and offset of the message filled in.
inline failure failure_in(const message& which, failure why) noexcept {
  if (!why.message) why.message = which.index();
  if (why.offset == 0) why.offset = which.offset();
  return why;
}

}  // namespace tgmap::edit
