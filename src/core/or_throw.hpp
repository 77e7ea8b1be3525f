// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/error.hpp>
#include <type_traits>
#include <utility>

namespace tgmap::core {

/// Calls the overload that fills a `failure&`, and throws the failure as an `error`.
template <class Call>
auto or_throw(Call&& call) {
  failure why;
  if constexpr (std::is_void_v<decltype(call(why))>) {
    std::forward<Call>(call)(why);
    detail::raise_if(why);
  } else {
    auto result = std::forward<Call>(call)(why);
    detail::raise_if(why);
    return result;
  }
}

}  // namespace tgmap::core
