// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tgmap/tgmap.hpp>

namespace tgmap_test {

/// Visits every message, frame, object, descriptor and metadata, even after failures. Reads no payload and allocates no
/// memory. Returns the number of objects.
inline std::size_t visit_all(const tgmap::archive& archive) {
  tgmap::failure why;
  std::size_t met = 0;
  const std::size_t count = archive.size(why);
  for (std::size_t i = 0; i < count; ++i) {
    const tgmap::message message = archive.at(i, why);
    (void)message.flags();
    (void)message.index_location(why);
    (void)message.hash_list(why);
    (void)message.metadata(why).find("a.b");
    (void)message.provenance(why);
    auto frames = message.frames(why);
    for (tgmap::frame frame; frames.next(frame, why);) (void)frame.stored_hash();
    const std::size_t objects = message.size(why);
    for (std::size_t j = 0; j < objects; ++j) {
      (void)message.base(j, why);
      const tgmap::object object = message.at(j, why);
      if (why) continue;
      ++met;
      (void)object.descriptor(why);
      (void)object.metadata(why);
    }
  }
  return met;
}

}  // namespace tgmap_test
