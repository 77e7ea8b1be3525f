// SPDX-License-Identifier: Apache-2.0
// How frames are written, and what is to be known of one that is ready to be put out.
#pragma once

#include <cstdint>
#include <optional>

namespace tgmap::write {

struct frame_options {
  int version = 3;
  bool hashes = true;
};

/// Of one data object's frame (§2.7).
struct frame_facts {
  std::uint64_t length = 0;  ///< of the frame, without padding
  std::uint64_t region = 0;  ///< bytes of payload and masks
  std::optional<std::uint64_t> digest{};
};

}  // namespace tgmap::write
