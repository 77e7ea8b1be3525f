// SPDX-License-Identifier: Apache-2.0
// The descriptor of a data object, specification §6.1 and §6.2.
#pragma once

#include <cstddef>
#include <span>
#include <tgmap/descriptor.hpp>

namespace tgmap::cbor {

/// Minimum size of a descriptor: the head of the map, and eight required keys. The keys have 50 bytes in all, and each
/// has a head and a value of one byte.
inline constexpr std::uint64_t min_descriptor_size = 1 + 50 + 8 + 8;

/// Reads and checks a descriptor. It must pass `prescan` and have no tags. `region`: size of the payload region, which
/// must hold the masks. After a failure the result is unspecified. Allocates only for more than 6 dimensions.
/// Errors: bad_cbor, cbor_too_deep, bad_descriptor, unknown_dtype, shape_overflow, too_many_dimensions,
/// mask_out_of_range, out_of_memory, duplicate_key (found: the offset). Complexity: O(bytes).
[[nodiscard]] descriptor read_descriptor(std::span<const std::byte> bytes, std::uint64_t region,
                                         std::uint32_t max_depth, failure&) noexcept;

/// Returns where the encoded payload ends in its region: at the first mask, if there is one.
/// Errors: bad_cbor, bad_descriptor, mask_out_of_range, duplicate_key. Complexity: O(bytes of the descriptor).
[[nodiscard]] failure read_payload_length(std::span<const std::byte> bytes, std::uint64_t region,
                                          std::uint64_t& out) noexcept;

}  // namespace tgmap::cbor
