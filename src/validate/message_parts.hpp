// SPDX-License-Identifier: Apache-2.0
// What the walk over the frames of a message found, for the checks behind it. Offsets count from the message.
#pragma once

#include <cstdint>
#include <vector>

namespace tgmap::checks {

namespace flag {
inline constexpr std::uint16_t header_metadata = 1, footer_metadata = 2, header_index = 4, footer_index = 8,
                               header_hashes = 16, footer_hashes = 32, preceder = 64, hashes_present = 128;
inline constexpr std::uint16_t cbor_after_payload = 1, hash_present = 2;  // of frames
}  // namespace flag

namespace type {
inline constexpr std::uint16_t header_metadata = 1, header_index = 2, header_hash = 3, old_object = 4, footer_hash = 5,
                               footer_index = 6, footer_metadata = 7, preceder = 8, object = 9;
}

struct frame_part {
  std::uint16_t type = 0, flags = 0;
  std::uint64_t at = 0, length = 0;
  std::uint64_t body_at = 0, body_size = 0;
};

struct object_part : frame_part {
  std::uint64_t descriptor_at = 0, descriptor_size = 0;
  std::uint64_t region_at = 0, region_size = 0;
  bool usable = false;  ///< descriptor and region are known
};

struct message_parts {
  int version = 3;
  std::uint16_t flags = 0;         ///< of the preamble
  std::vector<frame_part> frames;  ///< all but objects
  std::vector<object_part> objects;

  void clear() {
    frames.clear();
    objects.clear();
  }
};

}  // namespace tgmap::checks
