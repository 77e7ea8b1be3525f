// SPDX-License-Identifier: Apache-2.0
// Checks that bytes are CBOR as the format allows it (§3), and in deterministic form (RFC 8949, 4.2.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tgmap::validation {

enum class cbor_state : std::uint8_t {
  sound,
  truncated,  ///< the bytes end before the item
  malformed,  ///< not CBOR, or an item that the format does not allow
  too_deep,
};

struct cbor_report {
  cbor_state state = cbor_state::sound;
  std::size_t size = 0;   ///< size of the item; offset of the fault if it is not sound
  bool has_tags = false;  ///< at any depth
  bool is_sorted = true;  ///< keys of all maps are in bytewise order and of shortest form, so none is repeated
  const char* not_canonical =
      nullptr;                       ///< why the item is not in deterministic form; null if it is, or was not checked
  std::size_t not_canonical_at = 0;  ///< offset of the first such byte
};

/// Checks the first item in `data`, which must not change during the call. `canonical`: also checks for deterministic
/// form. `max_depth` limits nested containers; tags do not count. Allocates nothing. Complexity: O(bytes).
cbor_report check_cbor(std::span<const std::byte> data, unsigned max_depth, bool canonical) noexcept;

/// Returns a phrase such as "is cut short".
const char* phrase(cbor_state) noexcept;

}  // namespace tgmap::validation
