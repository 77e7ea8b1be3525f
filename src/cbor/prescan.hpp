// SPDX-License-Identifier: Apache-2.0
// The security boundary for metadata: one CBOR item is checked whole before anything is read from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/error.hpp>

namespace tgmap::cbor {

/// Deepest nesting that can be asked for.
inline constexpr std::uint32_t max_depth_limit = 1024;

/// What an item may be, beside well-formed (§3).
enum class rules : std::uint8_t {
  any,       ///< anything that Tensogram allows somewhere
  metadata,  ///< a map whose keys are text
  untagged,  ///< anything without a tag, as in descriptors
};

/// Checks the first item of `bytes` (bytes behind it are ignored, as the reference does): well-formed, counts bounded
/// by the bytes present, containers not nested deeper than `max_depth`, no simple values that Tensogram forbids (§3),
/// and the rules kept. O(bytes), no allocation, no recursion; libcbor decodes each item.
/// Errors: bad_cbor (found: where), cbor_too_deep.
[[nodiscard]] failure prescan(std::span<const std::byte> bytes, std::uint32_t max_depth, rules) noexcept;

}  // namespace tgmap::cbor
