// SPDX-License-Identifier: Apache-2.0
// Stepping over the items of a container: what value::first and value::next do, for bytes that cannot go away.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/cbor_view.hpp>

namespace tgmap::cbor {

/// Stands in place of a count where items go on until a break.
inline constexpr std::uint64_t until_break = UINT64_MAX;

/// Sets out over the container at the start of `item`; false when it is none.
[[nodiscard]] bool first(std::span<const std::byte> item, cbor_view::cursor& out) noexcept;

/// Steps to the next item; false at the end, and with `malformed` set where the bytes are no CBOR.
[[nodiscard]] bool next(cbor_view::cursor&) noexcept;

}  // namespace tgmap::cbor
