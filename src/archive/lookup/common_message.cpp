// SPDX-License-Identifier: Apache-2.0
#include "archive/lookup/common_message.hpp"

#include <algorithm>
#include <optional>

#include "archive/archive_state.hpp"
#include "cbor/flat_map_view.hpp"
#include "cbor/head.hpp"
#include "cbor/structure/index_frame.hpp"
#include "cbor/walk.hpp"
#include "wire/message_layout.hpp"

namespace tgmap {
inline namespace v0 {

namespace detail {

namespace {

/// Reads {"offsets": […], "lengths": […]}, in version 2 with "object_count": n. Returns false for any other map, and
/// for long lists.
bool read_arrays(std::span<const std::byte> body, cbor::integers& offsets, cbor::integers& lengths) noexcept {
  const std::byte* at = body.data();
  const std::byte* const end = at + body.size();
  cbor::head map;
  if (!cbor::read_head(at, end, map) || map.major != cbor::major::map || map.indefinite()) return false;
  std::uint64_t counts[2] = {0, 0};
  std::optional<std::uint64_t> stated;
  for (std::uint64_t left = map.argument; left > 0; --left) {
    const auto key = cbor::read_flat_text(at, end);
    if (!key) return false;
    if (core::same_text(*key, "object_count")) {
      if (stated || !cbor::read_unsigned(at, end, stated.emplace())) return false;
      continue;
    }
    const bool is_length = core::same_text(*key, "lengths");
    cbor::integers& numbers = is_length ? lengths : offsets;
    if ((!is_length && !core::same_text(*key, "offsets")) || numbers.valid()) return false;
    numbers = cbor::integers({at, end});
    cbor::integers walked = numbers;
    for (std::uint64_t number = 0; walked.next(number);)
      if (++counts[is_length] == min_cached_objects) return false;
    if (!numbers.valid() || walked.bad()) return false;
    at = walked.end();
  }
  return offsets.valid() && lengths.valid() && counts[0] == counts[1] && stated.value_or(counts[0]) == counts[0];
}

/// The header frames of a message.
struct header_frames {
  std::span<const std::byte> frames{};  ///< up to the first object frame
  std::span<const std::byte> index{}, metadata{};
  std::uint64_t metadata_offset = 0;  ///< from the first frame
  unsigned metadata_frames = 0;
  bool has_hash_list = false, states_hash = false;
};

/// Reads the header frames, up to the first object. `bytes` begin with the first frame of the message. `needed`: up to
/// where the first frame reaches that does not end in `bytes`; 0 if that is not what is missing.
std::optional<header_frames> read_header_frames(std::span<const std::byte> bytes, unsigned version,
                                                std::uint64_t& needed) noexcept {
  header_frames out;
  needed = 0;
  for (std::uint64_t at = 0;;) {
    needed = at + wire::frame_header_size;  // not beyond the message by more than a header
    if (!wire::fits(at, wire::frame_header_size, bytes.size())) return std::nullopt;
    const auto header = wire::parse_frame_header(bytes.subspan(static_cast<std::size_t>(at)));
    needed = 0;
    if (!header) return std::nullopt;
    if (wire::is_object(header->type, version)) {
      out.frames = bytes.first(static_cast<std::size_t>(at));
      return out.index.empty() ? std::nullopt : std::optional(out);
    }
    if (wire::phase_of(header->type, version) != wire::phase::header) return std::nullopt;
    if (header->length > bytes.size() - at && header->length <= UINT64_MAX - at) needed = at + header->length;
    if (!wire::is_frame_length(header->length, header->type, version, bytes.size() - at) ||
        !wire::frame_ends(bytes, at, header->length))
      return std::nullopt;
    const auto body = bytes.subspan(static_cast<std::size_t>(at) + wire::frame_header_size,
                                    static_cast<std::size_t>(wire::body_size(header->length, header->type, version)));
    if (header->type == wire::header_index_frame) {
      if (!out.index.empty()) return std::nullopt;
      out.index = body;
    } else if (header->type == wire::header_metadata_frame) {
      out.metadata = body;
      out.metadata_offset = at + wire::frame_header_size;
      ++out.metadata_frames;
    }
    out.has_hash_list = out.has_hash_list || header->type == wire::header_hash_frame;
    out.states_hash = out.states_hash || (header->flags & wire::hash_present_flag) != 0;
    at = wire::next_frame(at, header->length);
  }
}

/// Lists the objects of an index. Returns false unless they follow each other without gaps from `first` to `end`.
bool list_objects(cbor::integers offsets, cbor::integers lengths, std::uint64_t first, std::uint64_t end,
                  std::uint64_t min_size, common_header& out) noexcept {
  std::uint64_t next = first;
  out.objects = 0;
  for (std::uint64_t at = 0, length = 0; offsets.next(at); ++out.objects) {
    if (!lengths.next(length) || at != next || length < min_size || !wire::fits(at, length, end)) return false;
    next = wire::next_frame(at, length);
    out.places[static_cast<std::size_t>(out.objects)] = {.offset = at, .length = length, .preceder = 0};
  }
  std::uint64_t more = 0;
  return out.objects != 0 && next >= end && !lengths.next(more);
}

/// Compares the first `count` listed frames with the index. If an object is cached, it and all objects before it were
/// compared already.
bool is_compared(const archive_state& state, const io::window& window, const message_position& message,
                 std::uint64_t count, const common_header& listed) noexcept {
  for (std::uint64_t j = count; j-- > 0;) {
    const object_place& place = listed.places[static_cast<std::size_t>(j)];
    const std::uint64_t at = message.offset() + place.offset;
    object_parts cached;
    if (!window.holds(at, wire::frame_header_size) && state.objects().find(message, j, cached) &&
        cached.offset == place.offset && cached.length == place.length)
      return true;
    std::array<std::byte, wire::frame_header_size> bytes;
    if (window.copy(at, bytes) || check_listed_frame(place, wire::parse_frame_header(bytes), message)) return false;
  }
  return true;
}

}  // namespace

namespace {

/// Returns whether a message may be a common one under these options.
bool may_be_common(const open_options& options, const message_position& message) noexcept {
  return options.lookup == object_lookup::index && !message.is_incomplete() && !message.is_streamed() &&
         wire::has_frames(message.version()) && options.max_objects >= min_cached_objects &&
         options.max_metadata_bytes >= io::window::largest &&
         wire::frames_end(message.length(), message.version()) >= wire::preamble_size;
}

/// Lists the objects that the index of these header frames has.
bool list_indexed(const header_frames& found, const message_position& message, common_header& out) noexcept {
  cbor::integers offsets, lengths;
  if (!read_arrays(found.index, offsets, lengths)) return false;
  if (!list_objects(offsets, lengths, wire::preamble_size + found.frames.size(),
                    wire::frames_end(message.length(), message.version()),
                    wire::min_frame_size(wire::object_frame, message.version()), out))
    return false;
  out.has_hash_list = found.has_hash_list;
  out.states_hash = found.states_hash;
  out.index = found.index;
  out.metadata = found.metadata_frames == 1 ? found.metadata : std::span<const std::byte>();
  out.metadata_offset = message.offset() + wire::preamble_size + found.metadata_offset;
  out.frames = found.frames;
  return true;
}

}  // namespace

bool parse_common_header(const open_options& options, std::span<const std::byte> frames,
                         const message_position& message, common_header& out) noexcept {
  if (!may_be_common(options, message)) return false;
  std::uint64_t needed = 0;
  const auto found = read_header_frames(frames, message.version(), needed);
  return found && list_indexed(*found, message, out);
}

bool read_common_header(const archive_state& state, io::window& window, const message_position& message,
                        std::uint64_t whole_up_to, std::uint64_t compared, common_header& out) noexcept {
  if (!may_be_common(state.options(), message)) return false;
  const std::uint64_t end = wire::frames_end(message.length(), message.version());
  failure why;
  const std::uint64_t first = message.offset() + wire::preamble_size, frames = end - wire::preamble_size;
  std::uint64_t needed = 0, size = 0;
  const auto header_within = [&](std::uint64_t up_to) {
    size = std::min(up_to, frames);
    const auto bytes = window.at(first, static_cast<std::size_t>(size), why);
    return why ? std::nullopt : read_header_frames(bytes, message.version(), needed);
  };
  // Reads a large message up to the end of this page, because the next page may hold nothing but payload. Reads on if
  // the header does not end there. A system call takes as long as copying some KiB, so that it reads all of the page.
  const bool copies = state.bytes().direct();
  const std::uint64_t near = std::min<std::uint64_t>(copies ? header_read_size : io::page, io::page - first % io::page);
  if (!copies && whole_up_to != 0) whole_up_to = io::window::largest;
  auto found = header_within(frames <= whole_up_to ? frames : near);
  if (!found && size < std::min<std::uint64_t>(header_read_size, frames)) found = header_within(header_read_size);
  // Metadata of half a kilobyte and more is common, too. Read in the general way, it takes a third of the instructions
  // of a table of keys.
  if (!found && !why && needed > size && needed <= std::min<std::uint64_t>(io::window::largest, frames))
    found = header_within(std::min<std::uint64_t>(needed + header_read_size, io::window::largest));
  return found && list_indexed(*found, message, out) &&
         is_compared(state, window, message, std::min(compared, out.objects), out);
}

bool find_common_object(const archive_state& state, io::window& window, const message_position& message,
                        std::uint64_t j, object_parts& out, std::uint64_t& objects) noexcept {
  if (const auto* known = state.objects().find(message); known != nullptr && known->structure) return false;
  common_header before;
  const bool found = read_common_header(state, window, message, max_whole_message, j, before) && j < before.objects &&
                     read_common_object(window, message, before.places[static_cast<std::size_t>(j)], out);
  objects = before.objects;
  return found;
}

bool common_message::read() noexcept {
  if (message_->version() != 3 ||
      !read_common_header(*state_, window_, *message_, io::window::largest, UINT64_MAX, header_))
    return false;
  const auto body = header_.metadata;
  cbor::flat_map_view top;
  if (body.empty() || body.size() > state_->options().max_metadata_bytes ||
      !cbor::read_flat_map(body, state_->options().max_cbor_depth, top))
    return false;
  bool has_base = false;
  for (const auto& each : std::span(top.entries).first(top.count)) {
    if (each.key == "base") {
      if (has_base || each.value.major != cbor::major::array) return false;
      has_base = true;
      if (!read_base(body.subspan(each.inside, each.end - each.inside), each.value.argument)) return false;
      continue;
    }
    encoded_map* const section = each.key == "_extra_" ? &extra_ : each.key == "_reserved_" ? &reserved_ : nullptr;
    if (section == nullptr || !section->empty() || each.value.major != cbor::major::map) return false;
    *section = body.subspan(each.begin, each.end - each.begin);
  }
  return true;
}

bool common_message::header_hashes_match() const noexcept {
  const auto bytes = header_.frames;  // whole frames, which read_header_frames has checked
  for (std::size_t at = 0; at < bytes.size();) {
    const auto header = wire::parse_frame_header(bytes.subspan(at));
    if (!header) return false;
    const auto frame = bytes.subspan(at, static_cast<std::size_t>(header->length));
    const auto size = static_cast<std::size_t>(wire::body_size(frame.size(), header->type, 3));
    const bool has_hash = (header->flags & wire::hash_present_flag) != 0;
    // Old releases set the flag in the message only (§4); the caller then looks there.
    if (!has_hash && wire::stored_hash(frame) != 0) return false;
    if (has_hash && xxh3(frame.subspan(wire::frame_header_size, size)) != wire::stored_hash(frame)) return false;
    at = static_cast<std::size_t>(wire::next_frame(at, header->length));
  }
  return true;
}

bool common_message::read_base(std::span<const std::byte> elements, std::uint64_t count) noexcept {
  if (count > header_.objects) return false;
  const std::byte* at = elements.data();
  const std::byte* const end = at + elements.size();
  for (std::size_t j = 0; j < count; ++j) {
    const std::byte* const begin = at;
    if (begin == end) return false;
    at = j + 1 == count ? end : cbor::skip(at, end);
    if (at == nullptr || std::to_integer<unsigned>(*begin) >> 5 != static_cast<unsigned>(cbor::major::map))
      return false;
    base_[j] = {begin, at};
  }
  return true;
}

bool common_message::find(std::size_t j, object_parts& out) noexcept {
  if (!read_common_object(window_, *message_, header_.places[j], out)) return false;
  header_.states_hash = header_.states_hash || (out.flags & wire::hash_present_flag) != 0;
  return true;
}

}  // namespace detail

}  // namespace v0
}  // namespace tgmap
