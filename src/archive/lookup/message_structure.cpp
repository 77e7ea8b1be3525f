// SPDX-License-Identifier: Apache-2.0
#include "archive/lookup/message_structure.hpp"

#include "archive/archive_state.hpp"
#include "wire/message_layout.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

void message_structure::add_frame(const frame_place& place) noexcept {
  switch (place.header.type) {
    case wire::header_metadata_frame: header_metadata = place; break;
    case wire::header_index_frame: header_index = place; break;
    case wire::header_hash_frame: header_hashes = place; break;
    case wire::footer_metadata_frame: footer_metadata = place; break;
    case wire::footer_index_frame: footer_index = place; break;
    case wire::footer_hash_frame: footer_hashes = place; break;
    case wire::preceder_frame: ++preceders; break;
    default: break;
  }
}

failure with_location(failure why, const message_position& message, optional_index object) noexcept {
  if (!why) return why;
  if (!why.message) why.message = message.index();
  if (!why.object) why.object = object;
  if (why.offset == 0) why.offset = message.offset();
  return why;
}

failure with_location(const archive_state& state, failure why, const message_position& message,
                      optional_index object) noexcept {
  if (!why) return why;
  if (why.code == condition::corrupt || why.code == condition::truncated) {
    failure cut = state.bytes().check_not_truncated();
    cut.offset = why.offset;
    if (cut && !wire::fits(message.offset(), message.length(), cut.found)) why = cut;
  }
  return with_location(why, message, object);
}

walk_range frames_of(const archive_state& state, const message_position& message) noexcept {
  const std::uint64_t tail = message.is_incomplete() ? 0 : wire::postamble_size(message.version());
  return {.message = message.offset(),
          .end = message.length() - tail,
          .version = static_cast<std::uint8_t>(message.version()),
          .end_known = true,
          .max_padding = state.options().max_padding,
          .ahead = state.bytes().direct() ? 512u : io::window::largest};
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
