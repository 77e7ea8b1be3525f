// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/error.hpp>

namespace tgmap::archives {

/// Returns what `call(failure&)` returns. Throws the failure that it stores.
template <class Call>
auto or_throw(const Call& call) {
  failure why;
  auto out = call(why);
  detail::raise_if(why);
  return out;
}

}  // namespace tgmap::archives
