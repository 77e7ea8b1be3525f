// SPDX-License-Identifier: Apache-2.0
#include "archive/metadata/metadata_hash.hpp"

#include <xxhash.h>

#include <optional>
#include <vector>

#include "archive/archive_state.hpp"
#include "archive/hash.hpp"
#include "wire/bytes.hpp"
#include "wire/frame.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

/// Returns the hash of the body of a frame; nothing if the frame is too large or cannot be read.
std::optional<std::uint64_t> body_hash(const archive_state& state, io::window& window, const message_position& message,
                                       const frame_place& place, failure& why) noexcept {
  const std::uint64_t size = place.header.length - wire::min_frame_size(place.header.type, message.version());
  const std::uint64_t at = message.offset() + place.offset + wire::frame_header_size;
  if (size > state.options().max_metadata_bytes) return std::nullopt;
  std::uint64_t out = 0;
  if (size > io::window::largest)
    why = hash_range(state.bytes(), at, size, out);
  else if (const auto body = window.at(at, static_cast<std::size_t>(size), why); !why)
    out = XXH3_64bits(body.data(), body.size());
  return why ? std::nullopt : std::optional(out);
}

std::optional<std::uint64_t> preceder_hash(const archive_state& state, io::window& window,
                                           const message_position& message, std::uint64_t at, failure& why) noexcept {
  frame_walk walk(window, frames_of(state, message), walk_start::at(at));
  frame_place place;
  if (walk.next(place, why) != walk_step::frame) {
    if (!is_unreadable(why)) why = {};  // damage has no hash
    return std::nullopt;
  }
  return body_hash(state, window, message, place, why);
}

}  // namespace

std::uint64_t metadata_hash(const archive_state& state, io::window& window, const message_position& message,
                            const message_structure& structure, const message_record* places, failure& why) {
  why = {};
  if (!structure.metadata()) return 0;
  const auto first = body_hash(state, window, message, *structure.metadata(), why);
  if (!first || places == nullptr || places->preceders.empty()) return first.value_or(0);
  std::vector<std::byte> digests((places->preceders.size() + 1) * sizeof *first);
  std::byte* to = digests.data();
  wire::store_le(to, *first);
  for (const auto& [object, offset] : places->preceders) {
    const auto next = preceder_hash(state, window, message, offset, why);
    if (!next) return 0;
    wire::store_le(to += sizeof *next, *next);
  }
  return XXH3_64bits(digests.data(), digests.size());
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
