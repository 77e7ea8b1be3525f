// SPDX-License-Identifier: Apache-2.0
// Reads values that may be in a mapping whose file has become shorter.
#pragma once

#include <span>
#include <tgmap/cbor_view.hpp>

#include "cbor/head.hpp"
#include "core/bus_guard.hpp"

namespace tgmap::cbor {

/// Returns `read()`, or `lost` if the file no longer has the bytes. Without a mapping_guard, missing bytes raise a
/// signal, as in every view. `read` must not throw and must own nothing, because a fault leaves it without running
/// destructors.
template <class Result, class Read>
Result read_guarded(Result lost, Read&& read) noexcept {
  if (!core::bus_guard_installed.load(std::memory_order_relaxed)) return read();
  core::guarded([&]() noexcept { lost = read(); });
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
inline cbor_kind kind_of(const head& head) noexcept {
  switch (head.major) {
    case major::unsigned_integer:
    case major::negative_integer: return cbor_kind::integer;
    case major::bytes: return cbor_kind::bytes;
    case major::text: return cbor_kind::text;
    case major::array: return cbor_kind::array;
    case major::map: return cbor_kind::map;
    case major::tag: return cbor_kind::tag;
    case major::simple: break;
  }
  if (head.info >= float_half && head.info <= float_double) return cbor_kind::floating;
  return head.info == simple_false || head.info == simple_true ? cbor_kind::boolean : cbor_kind::null;
}

}  // namespace tgmap::cbor
