// SPDX-License-Identifier: Apache-2.0
// Reads values that may be in a mapping whose file has become shorter.
#pragma once

#include <span>
#include <tgmap/cbor_view.hpp>

#include "cbor/head.hpp"
#include "core/bus_guard.hpp"

namespace tgmap::cbor {

/// Returns `look()`, or `lost` if its bytes are gone. Without a mapping_guard that raises a signal, as for every view.
/// `look` must not throw, and owns nothing while it runs.
template <class Result, class Look>
Result read_guarded(Result lost, Look&& look) noexcept {
  if (!core::bus_guard_installed.load(std::memory_order_relaxed)) return look();
  core::guarded([&]() noexcept { lost = look(); });
  return lost;
}

/// Returns the head of the item at the start of `item`; null for an empty or malformed one.
inline head read_head_guarded(std::span<const std::byte> item) noexcept {
  constexpr head null{major::simple, simple_null, 0};
  return read_guarded(null, [&]() noexcept {
    const std::byte* at = item.data();
    head out;
    return at != nullptr && read_head(at, item.data() + item.size(), out) ? out : null;
  });
}

/// Returns the kind of an item with this head.
inline cbor_kind kind_of(const head& of) noexcept {
  switch (of.major) {
    case major::unsigned_integer:
    case major::negative_integer: return cbor_kind::integer;
    case major::bytes: return cbor_kind::bytes;
    case major::text: return cbor_kind::text;
    case major::array: return cbor_kind::array;
    case major::map: return cbor_kind::map;
    case major::tag: return cbor_kind::tag;
    case major::simple: break;
  }
  if (of.info >= float_half && of.info <= float_double) return cbor_kind::floating;
  return of.info == simple_false || of.info == simple_true ? cbor_kind::boolean : cbor_kind::null;
}

}  // namespace tgmap::cbor
