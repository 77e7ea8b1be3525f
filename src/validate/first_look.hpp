// SPDX-License-Identifier: Apache-2.0
// Nearly all messages are as they should be. That is seen in one short walk over the bytes where they lie; what is in
// any way out of the ordinary is left to the checks that can say what. Without it validate_quick/small takes 3.5 times
// as long, and validate_checksum/small 1.9 times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "validate/message_parts.hpp"

namespace tgmap::checks {

enum class first_look : std::uint8_t {
  fine,     ///< the checks of structure, and with `digests` of digests, would find nothing
  closer,   ///< they might
  no_room,  ///< as `parts` is full: make room and look again
};

/// Looks over a message of version 3. Takes nothing for granted and allocates nothing: bytes may change or go
/// meanwhile, under a guard. `parts` is as the checks would leave it when it is fine; whoever wants lists of digests to
/// be held against them looks at `parts.lists`. O(frames), with `digests` O(bytes).
first_look look_over(std::span<const std::byte> message, bool digests, message_parts& parts) noexcept;

}  // namespace tgmap::checks
