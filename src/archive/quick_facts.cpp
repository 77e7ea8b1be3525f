// SPDX-License-Identifier: Apache-2.0
#include "archive/quick_facts.hpp"

#include <algorithm>
#include <optional>

#include "archive/quick_header.hpp"
#include "archive/state.hpp"
#include "cbor/head.hpp"
#include "cbor/usual.hpp"
#include "wire/postamble.hpp"
#include "wire/preamble.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

constexpr std::size_t object_look = 1024;

/// How much to look at before the `end` of a frame: what is on its page, for the one before may hold nothing but
/// payload.
std::uint64_t look_before(std::uint64_t end, std::uint64_t least) noexcept {
  return std::clamp<std::uint64_t>((end - 1) % io::page + 1, least, object_look);
}

/// Whether a map in one piece has no key "masks", and no key that must be looked at twice.
bool without_masks(std::span<const std::byte> descriptor) noexcept {
  const std::byte* at = descriptor.data();
  const std::byte* const end = at + descriptor.size();
  cbor::head map;
  if (!cbor::read_head(at, end, map) || map.major != cbor::major::map || map.indefinite()) return false;
  for (std::uint64_t left = map.argument; left > 0; --left) {
    const auto key = cbor::usual_text(at, end);
    if (!key || *key == "masks") return false;
    at = cbor::pass(at, end);
    if (at == nullptr) return false;
  }
  return true;
}

}  // namespace

bool quick_facts(const archive_state& state, io::window& window, const message_position& message, std::uint64_t j,
                 object_facts& out) noexcept {
  quick_header before;
  return read_quick_header(state, window, message, message_look, j, before) && j < before.objects &&
         quick_object(window, message, before.places[static_cast<std::size_t>(j)], out);
}

bool quick_object(io::window& window, const message_position& message, const object_place& place,
                  object_facts& out) noexcept {
  // Its header, which the first look mostly holds too, and its end.
  failure why;
  const auto header = wire::parse_frame_header(window.at(message.offset() + place.at, wire::frame_header_size, why));
  if (why || !header || !wire::is_object(header->type, message.version()) || header->length != place.length ||
      (header->flags & wire::cbor_after_payload_flag) == 0)
    return false;
  const std::size_t tail = wire::tail_size(header->type, message.version());
  const std::uint64_t frame = message.offset() + place.at, body_end = place.length - tail;
  std::span<const std::byte> look;
  const auto look_behind = [&](std::uint64_t from) {
    look = window.at(frame + from, static_cast<std::size_t>(place.length - from), why);
    return !why;
  };
  std::uint64_t seen_from = place.length - std::min(place.length, look_before(frame + place.length, tail));
  if (!look_behind(seen_from) || !wire::frame_ends(look, 0, look.size())) return false;
  const auto descriptor = wire::load_be<std::uint64_t>(look, look.size() - tail);
  if (descriptor < wire::frame_header_size || descriptor > body_end || place.length - descriptor > object_look)
    return false;
  if (descriptor < seen_from && !look_behind(seen_from = descriptor)) return false;
  if (!without_masks(look.subspan(static_cast<std::size_t>(descriptor - seen_from),
                                  static_cast<std::size_t>(body_end - descriptor))))
    return false;
  out = {.at = place.at,
         .length = place.length,
         .descriptor_at = descriptor,
         .descriptor_length = body_end - descriptor,
         .region_at = wire::frame_header_size,
         .region_length = descriptor - wire::frame_header_size,
         .payload_length = descriptor - wire::frame_header_size,
         .type = header->type,
         .version = header->version,
         .flags = header->flags};
  return true;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
