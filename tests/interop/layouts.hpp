// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tgmap/tgmap.hpp>
#include <vector>

#include "recipes.hpp"

namespace tgmap_interop {

/// How objects come into a message.
enum class route {
  buffered,
  streamed,
  pieces,     ///< streamed, elements a few at a time
  as_stored,  ///< encoded first, then written as they are stored
  as_frames,  ///< whole frames as they lie in another message
  verbatim,   ///< the whole message
};

struct layout {
  std::string name{};
  tgmap::write_options options{};
  route by = route::buffered;
  bool backfill = false;
  bool preceder = false;
  bool ahead = false;  ///< keys of objects are in the header of the stream, too
};

std::vector<layout> layouts();

/// One message as bytes. `message` borrows from the group. Throws tgmap::error.
std::vector<std::byte> write(const layout&, tgmap::new_message message);

/// Whether that layout can hold that object.
bool takes(const layout&, const tgmap::new_object&);

}  // namespace tgmap_interop
