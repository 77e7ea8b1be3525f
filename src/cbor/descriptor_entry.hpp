// SPDX-License-Identifier: Apache-2.0
// One entry of a descriptor: which key it has, and what its value means (§6.1, §6.2).
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
inline constexpr std::uint32_t required_keys = bit(descriptor_key::byte_order) - 1;  // all before it

inline failure unusable() noexcept { return {.code = errc::bad_descriptor}; }

/// Which key an item of text is. Keys of text in pieces are keys too.
[[nodiscard]] descriptor_key key_of(std::span<const std::byte> item) noexcept;

/// Takes over the value of a key. Errors: see read_descriptor.
[[nodiscard]] failure read_entry(descriptor_key, const cbor_view& item, std::uint64_t region, descriptor& out) noexcept;

/// The same for the next entry of a descriptor, when key and value have the form that writers give them, and moves
/// behind it. False, and where it was, for anything else: what is wrong, repeated or only unusual is not for here to
/// tell. first_touch/small/memory takes 1.5 times as long without it.
[[nodiscard]] bool read_flat_entry(cbor_view::cursor&, descriptor& out, std::uint32_t& seen) noexcept;

using mask_array = decltype(descriptor::mask_list);

/// The masks of a region. Errors: bad_descriptor, mask_range, duplicate_key (found: from the item on).
[[nodiscard]] failure read_masks(const cbor_view& item, std::uint64_t region, mask_array& out,
                                 std::size_t& count) noexcept;

}  // namespace tgmap::cbor
