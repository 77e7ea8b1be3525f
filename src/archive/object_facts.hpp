// SPDX-License-Identifier: Apache-2.0
// What reaching an object learns from its frame: where its parts lie. Specification §2.7.
#pragma once

#include <cstdint>
#include <tgmap/frame.hpp>

#include "archive/layout.hpp"
#include "io/window.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Offsets count from the start of the frame, `at` from the start of the message. All lie within the frame, the frame
/// within its message.
struct object_facts {
  std::uint64_t at = 0;
  std::uint64_t length = 0;
  std::uint64_t descriptor_at = 0;
  std::uint64_t descriptor_length = 0;
  std::uint64_t region_at = 0;  ///< payload and masks
  std::uint64_t region_length = 0;
  std::uint64_t payload_length = 0;
  std::uint16_t type = 0, version = 0, flags = 0;  ///< of the frame

  bool operator==(const object_facts&) const noexcept = default;
};

/// Reads both ends of the frame, and of its descriptor whether there are masks. O(bytes of the descriptor), no
/// allocation unless that is beyond 4 KiB. Errors: see message::operator[].
failure read_object(const archive_state&, io::window&, const message_position&, const object_place&,
                    object_facts&) noexcept;

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
