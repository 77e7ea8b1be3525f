// SPDX-License-Identifier: Apache-2.0
#include "archive/quick_facts.hpp"

#include <algorithm>
#include <optional>

#include "archive/state.hpp"
#include "cbor/head.hpp"
#include "cbor/index_frame.hpp"
#include "cbor/usual.hpp"
#include "wire/postamble.hpp"
#include "wire/preamble.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

constexpr std::size_t header_look = 512;    ///< what header frames of few objects mostly need
constexpr std::size_t message_look = 2048;  ///< messages up to this are looked at at once, and wait for memory once
constexpr std::size_t object_look = 1024;

/// How much to look at before the `end` of a frame: what is on its page, for the one before may hold nothing but
/// payload.
std::uint64_t look_before(std::uint64_t end, std::uint64_t least) noexcept {
  return std::clamp<std::uint64_t>((end - 1) % io::page + 1, least, object_look);
}

bool frame_ends(std::span<const std::byte> frames, std::uint64_t at, std::uint64_t length) noexcept {
  return wire::starts_with(frames, static_cast<std::size_t>(at + length - wire::frame_end_magic.size()),
                           wire::frame_end_magic);
}

/// {"offsets": […], "lengths": […]}, in version 2 with "object_count": n, and nothing else; few of each.
bool read_arrays(std::span<const std::byte> body, cbor::integers& offsets, cbor::integers& lengths) noexcept {
  const std::byte* at = body.data();
  const std::byte* const end = at + body.size();
  cbor::head map;
  if (!cbor::read_head(at, end, map) || map.major != cbor::major::map || map.indefinite()) return false;
  std::uint64_t listed[2] = {0, 0};
  std::optional<std::uint64_t> stated;
  for (std::uint64_t left = map.argument; left > 0; --left) {
    const auto key = cbor::usual_text(at, end);
    if (!key) return false;
    if (*key == "object_count") {
      if (stated || !cbor::usual_number(at, end, stated.emplace())) return false;
      continue;
    }
    const bool is_length = *key == "lengths";
    cbor::integers& numbers = is_length ? lengths : offsets;
    if ((!is_length && *key != "offsets") || numbers.valid()) return false;
    numbers = cbor::integers({at, end});
    cbor::integers walked = numbers;
    for (std::uint64_t number = 0; walked.next(number);)
      if (++listed[is_length] == kept_from) return false;
    if (!numbers.valid() || walked.bad()) return false;
    at = walked.behind();
  }
  return offsets.valid() && lengths.valid() && listed[0] == listed[1] && stated.value_or(listed[0]) == listed[0];
}

/// Walks the header frames in `look`, bytes of the message from its first frame on. Where the body begins, or 0.
std::uint64_t pass_header(std::span<const std::byte> look, unsigned version,
                          std::span<const std::byte>& index) noexcept {
  for (std::uint64_t at = 0; wire::fits(at, wire::frame_header_size, look.size());) {
    const auto header = wire::parse_frame_header(look.subspan(static_cast<std::size_t>(at)));
    if (!header) return 0;
    if (wire::is_object(header->type, version)) return index.empty() ? 0 : at;
    if (wire::phase_of(header->type, version) != wire::phase::header) return 0;
    const std::uint64_t least = wire::least_frame(header->type, version);
    if (header->length < least || !wire::fits(at, header->length, look.size()) || !frame_ends(look, at, header->length))
      return 0;
    if (header->type == wire::header_index_frame) {
      if (!index.empty()) return 0;
      index = look.subspan(static_cast<std::size_t>(at) + wire::frame_header_size,
                           static_cast<std::size_t>(header->length - least));
    }
    at += wire::align8(header->length);
  }
  return 0;
}

/// Object `j` of an index that lists frames one right behind the other, from `first` to `end`.
bool pick(cbor::integers offsets, cbor::integers lengths, std::uint64_t j, std::uint64_t first, std::uint64_t end,
          std::uint64_t least, object_place& out) noexcept {
  std::uint64_t count = 0, next = first;
  for (std::uint64_t at = 0, length = 0; offsets.next(at); ++count) {
    if (!lengths.next(length) || at != next || length < least || !wire::fits(at, length, end)) return false;
    next = at + wire::align8(length);
    if (count == j) out = {.at = at, .length = length, .preceder = 0};
  }
  std::uint64_t more = 0;
  return j < count && next >= end && !lengths.next(more);
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
  const auto& options = state.options();
  if (options.lookup != object_lookup::index || message.incomplete || message.streamed ||
      (message.version != 2 && message.version != 3) || options.max_objects < kept_from ||
      options.max_metadata_bytes < object_look)
    return false;
  const std::uint64_t end = message.length - wire::postamble_size(message.version);
  if (end < wire::preamble_size) return false;
  failure why;
  const std::uint64_t first = message.offset + wire::preamble_size, frames = end - wire::preamble_size;
  std::span<const std::byte> look, index;
  const auto header_within = [&](std::uint64_t size) {
    index = {};
    look = window.at(first, static_cast<std::size_t>(size), why);
    return why ? 0 : pass_header(look, message.version, index);
  };
  // Of large messages what is on this page, for the next one may hold nothing but payload; unless that is too little.
  const std::uint64_t near = std::min<std::uint64_t>(header_look, io::page - first % io::page);
  std::uint64_t body = header_within(frames <= message_look ? frames : near);
  if (body == 0 && frames > message_look && near < header_look) body = header_within(header_look);
  cbor::integers offsets, lengths;
  object_place place{};
  const std::uint64_t least = wire::least_frame(wire::object_frame, message.version);
  if (body == 0 || !read_arrays(index, offsets, lengths) ||
      !pick(offsets, lengths, j, wire::preamble_size + body, end, least, place))
    return false;

  // Its header, which the first look mostly holds too, and its end.
  const auto header = wire::parse_frame_header(window.at(message.offset + place.at, wire::frame_header_size, why));
  if (why || !header || !wire::is_object(header->type, message.version) || header->length != place.length ||
      (header->flags & wire::cbor_after_payload_flag) == 0)
    return false;
  const std::size_t tail = wire::tail_size(header->type, message.version);
  const std::uint64_t frame = message.offset + place.at, body_end = place.length - tail;
  const auto look_behind = [&](std::uint64_t from) {
    look = window.at(frame + from, static_cast<std::size_t>(place.length - from), why);
    return !why;
  };
  std::uint64_t seen_from = place.length - std::min(place.length, look_before(frame + place.length, tail));
  if (!look_behind(seen_from) || !frame_ends(look, 0, look.size())) return false;
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
