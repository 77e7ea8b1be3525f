// SPDX-License-Identifier: Apache-2.0
// Whether bytes are CBOR as the specification allows it (§3), and in its one deterministic form (RFC 8949, 4.2.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tgmap::checks {

enum class cbor_state : std::uint8_t {
  sound,
  cut,        ///< the bytes end before the item does
  malformed,  ///< or an item that is not allowed
  too_deep,
};

struct cbor_report {
  cbor_state state = cbor_state::sound;
  std::size_t size = 0;       ///< of the first item; of what is unsound: where
  bool tags = false;          ///< there is a tag somewhere in it
  bool in_order = true;       ///< keys of maps rise byte by byte and are spelled as short as can be: none comes twice
  const char* odd = nullptr;  ///< why it is not in deterministic form
  std::size_t odd_at = 0;     ///< where
};

/// Looks at the first item in `data`, which must not change meanwhile. `form`: whether `odd` is wanted. O(bytes), no
/// allocation; recursion is bounded by `max_depth` containers inside one another, tags are none.
cbor_report check_cbor(std::span<const std::byte> data, unsigned max_depth, bool form) noexcept;

/// For people: "is cut short", with the place.
const char* phrase(cbor_state) noexcept;

}  // namespace tgmap::checks
