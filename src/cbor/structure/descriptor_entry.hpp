// SPDX-License-Identifier: Apache-2.0
// The keys and values of a descriptor (§6.1, §6.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/descriptor.hpp>

#include "cbor/walk.hpp"
#include "wire/descriptor_keys.hpp"

namespace tgmap::cbor {

using wire::descriptor_key;

constexpr std::uint32_t bit(descriptor_key k) noexcept { return std::uint32_t{1} << static_cast<unsigned>(k); }
inline constexpr std::uint32_t required_keys = bit(descriptor_key::byte_order) - 1;  // all keys before it

inline failure unusable() noexcept { return {.code = errc::bad_descriptor}; }

/// Returns the key that an item of text is, also if it is in pieces.
[[nodiscard]] descriptor_key key_of(std::span<const std::byte> item) noexcept;

/// Reads the value of a key. Errors: see read_descriptor.
[[nodiscard]] failure read_entry(descriptor_key, const cbor_view& item, std::uint64_t region, descriptor& out) noexcept;

/// Fast path: reads the next entry and moves past it, if key and value have the form that writers give them.
/// Otherwise returns false and does not move; the caller then uses read_entry. first_touch/small/memory takes 1.5 times
/// as long without it.
[[nodiscard]] bool read_flat_entry(cbor_view::cursor&, descriptor& out, std::uint32_t& seen) noexcept;

using mask_array = decltype(descriptor::mask_list);

/// Reads the masks of an object. Errors: bad_descriptor, mask_out_of_range, duplicate_key (found: from the item on).
[[nodiscard]] failure read_masks(const cbor_view& item, std::uint64_t region, mask_array& out,
                                 std::size_t& count) noexcept;

}  // namespace tgmap::cbor
