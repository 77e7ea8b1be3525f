// SPDX-License-Identifier: Apache-2.0
// What the walk over the frames of a message found, for the checks behind it. Offsets count from the message.
#pragma once

#include <cstdint>

#include "validate/list.hpp"
#include "wire/frame.hpp"
#include "wire/postamble.hpp"
#include "wire/preamble.hpp"

namespace tgmap::checks {

struct frame_part {
  std::uint16_t type = 0, flags = 0;
  std::uint64_t at = 0, length = 0;
  std::uint64_t body_at = 0, body_size = 0;
  std::uint64_t slot = 0;  ///< version 3: where its tail has a digest, whether it is one or not
};

struct object_part : frame_part {
  std::uint64_t descriptor_at = 0, descriptor_size = 0;
  std::uint64_t region_at = 0, region_size = 0;
  bool usable = false;  ///< descriptor and region are known
};

struct message_parts {
  int version = 3;
  std::uint16_t flags = 0;  ///< of the preamble
  bool streamed = false;    ///< the preamble states no length
  list<frame_part> frames;  ///< all but objects
  list<object_part> objects;
  bool digests_match = false;  ///< every frame has one, and it is the right one: known already
  bool lists = false;          ///< there are frames that list digests

  void clear() noexcept {
    frames.clear();
    objects.clear();
    digests_match = lists = false;
  }
};

}  // namespace tgmap::checks
