// SPDX-License-Identifier: Apache-2.0
// The security boundary for metadata: checks a whole CBOR item before anything is read from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/error.hpp>

namespace tgmap::cbor {

/// Upper bound of `max_depth`.
inline constexpr std::uint32_t max_depth_limit = 1024;

/// Rules for an item beyond being well-formed (§3).
enum class rules : std::uint8_t {
  any,       ///< any item that the format allows
  metadata,  ///< a map whose keys are text
  untagged,  ///< any item without tags, as in descriptors
};

/// Checks the first item of `bytes`; bytes after it are ignored, as the reference does. The item must be well-formed,
/// with counts bounded by the bytes present, nested at most `max_depth` deep, without simple values that Tensogram
/// forbids (§3), and must follow the rules. libcbor decodes each item. No allocation, no recursion.
/// Errors: bad_cbor (found: the offset), cbor_too_deep. Complexity: O(bytes).
[[nodiscard]] failure prescan(std::span<const std::byte> bytes, std::uint32_t max_depth, rules) noexcept;

}  // namespace tgmap::cbor
