// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tgmap/tgmap.hpp>
#include <vector>

#include "recipes.hpp"

namespace tgmap_interop {

/// The way in which objects are written.
enum class route {
  buffered,
  streamed,
  pieces,     ///< streamed, elements a few at a time
  as_stored,  ///< encoded first, then written as they are stored
  as_frames,  ///< frames of another message, copied
  verbatim,   ///< the whole message
};

/// A `layout` is the options of a message and the way in which it is written.
struct layout {
  std::string name{};
  tgmap::write_options options{};
  route by = route::buffered;
  bool backfill = false;
  bool preceder = false;
  bool keys_in_header = false;  ///< keys of objects also in the header of the stream
};

std::vector<layout> layouts();

/// Returns the bytes of a message. `message` borrows from the group. Throws tgmap::error.
std::vector<std::byte> write(const layout&, tgmap::new_message message);

/// Returns true if a message of this layout can hold the object.
bool can_hold(const layout&, const tgmap::new_object&);

}  // namespace tgmap_interop
