// SPDX-License-Identifier: Apache-2.0
// The descriptor of a data object, specification §6.1 and §6.2.
#pragma once

#include <cstddef>
#include <span>
#include <tgmap/descriptor.hpp>

namespace tgmap::cbor {

/// The eight keys that every descriptor has, "type" to "compression", take 50 bytes and a head each, their values a
/// byte each, and the map one: of fewer bytes there is none.
inline constexpr std::uint64_t least_descriptor = 1 + 50 + 8 + 8;

/// Reads a descriptor, and checks what is in it on the way: as `prescan`, and no tag anywhere. `region` is the size of
/// the payload region that masks must lie in. O(bytes), no allocation but for more than 6 dimensions. With a failure,
/// the result means nothing. Errors: bad_cbor, cbor_too_deep, bad_descriptor, unknown_dtype, shape_overflow,
/// too_many_dimensions, mask_range, out_of_memory, duplicate_key (found: where in `bytes`).
[[nodiscard]] descriptor read_descriptor(std::span<const std::byte> bytes, std::uint64_t region,
                                         std::uint32_t max_depth, failure&) noexcept;

/// Where the encoded payload ends in its region: at the first mask, if there is any. O(bytes of the descriptor).
/// Errors: bad_cbor, bad_descriptor, mask_range, duplicate_key.
[[nodiscard]] failure read_payload_length(std::span<const std::byte> bytes, std::uint64_t region,
                                          std::uint64_t& out) noexcept;

}  // namespace tgmap::cbor
