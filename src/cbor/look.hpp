// SPDX-License-Identifier: Apache-2.0
// Looks at values that may lie in a mapping whose file has become shorter.
#pragma once

#include <span>

#include "cbor/head.hpp"
#include "core/bus_guard.hpp"

namespace tgmap::cbor {

/// What `look()` says; `lost` when its bytes are gone. Without a mapping_guard that is a signal, as for every view.
/// `look` must not throw and owns nothing while it runs.
template <class Result, class Look>
Result looked(Result lost, Look&& look) noexcept {
  if (!core::bus_guard_installed.load(std::memory_order_relaxed)) return look();
  core::guarded([&]() noexcept { lost = look(); });
  return lost;
}

/// The head of the item at the start of `item`; null for an empty or malformed one.
inline head look_at_head(std::span<const std::byte> item) noexcept {
  constexpr head null{major::simple, simple_null, 0};
  return looked(null, [&]() noexcept {
    const std::byte* at = item.data();
    head out;
    return at != nullptr && read_head(at, item.data() + item.size(), out) ? out : null;
  });
}

}  // namespace tgmap::cbor
