// SPDX-License-Identifier: Apache-2.0
#include "archive/scan/parse_message_at.hpp"

#include <algorithm>
#include <array>

#include "archive/lookup/frame_walk.hpp"
#include "archive/scan/message_table.hpp"
#include "wire/message_layout.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

parsed_message rejected(message_status status, errc code, std::uint64_t offset, std::uint64_t expected = 0,
                        std::uint64_t found = 0) {
  return {.status = status, .why = {.code = code, .offset = offset, .expected = expected, .found = found}};
}

parsed_message unreadable(const failure& why) { return {.why = why, .unreadable = true}; }

/// Makes a position without a number.
message_position make_position(std::uint64_t offset, std::uint64_t length, unsigned version, bool streamed,
                               bool incomplete = false) noexcept {
  message_table::entry out = message_table::entry::of(offset, length, version, streamed);
  out.incomplete = incomplete;
  return out.position(std::nullopt);
}

/// Checks if the last bytes of the archive are the beginning of the magic.
bool begins_magic(std::span<const std::byte> bytes) noexcept {
  return !bytes.empty() && std::equal(bytes.begin(), bytes.end(), wire::message_magic.begin());
}

/// Parses a message that states its length.
parsed_message parse_bounded(io::window& window, std::uint64_t offset, const wire::preamble& start) {
  const std::uint64_t left = window.in().size() - offset;
  const std::uint64_t length = start.total_length;
  if (const auto min_length = wire::min_message_size(start.version); length < min_length)
    return rejected(message_status::none, errc::message_too_short, offset, min_length, length);
  if (length > left) return rejected(message_status::cut_off, errc::message_exceeds_file, offset, length, left);

  failure why;
  const std::size_t size = start.version == 1 ? wire::end_magic.size() : wire::postamble_size(start.version);
  const auto end = window.at(offset + length - size, size, why);
  if (why) return unreadable(why);
  if (!wire::starts_with(end, size - wire::end_magic.size(), wire::end_magic))
    return rejected(message_status::none, errc::missing_end_magic, offset, length);
  if (start.version == 3) {
    const std::uint64_t mirrored = wire::parse_postamble(end, 3)->total_length;
    if (!wire::agrees_with_length(mirrored, length))
      return rejected(message_status::none, errc::length_mismatch, offset, length, mirrored);
  }
  return {.status = message_status::whole, .message = make_position(offset, length, start.version, false)};
}

/// Parses a streamed message: its frames lead to its postamble (§2.9). Payload bytes are never searched.
parsed_message parse_stream(io::window& window, std::uint64_t offset, const wire::preamble& start,
                            const open_options& options) {
  const auto version = static_cast<std::uint8_t>(start.version);
  const walk_range range{.message = offset,
                         .end = window.in().size() - offset,
                         .version = version,
                         .end_known = false,
                         .max_padding = options.max_padding};
  const auto stream = [&](std::uint64_t length, bool incomplete = false) {
    return make_position(offset, length, version, true, incomplete);
  };
  frame_walk walk(window, range, walk_start::preamble());
  frame_place place;
  failure why;
  std::uint64_t frames = 0;
  walk_step step{};
  while ((step = walk.next(place, why)) == walk_step::frame) ++frames;
  if (step == walk_step::end)
    return {.status = message_status::whole,
            .message = stream(walk.position() + wire::postamble_size(version)),
            .frames = frames};
  if (is_unreadable(why)) return unreadable(why);
  if (walk.has_frames()) {
    return {.status = message_status::incomplete,
            .message = stream(walk.frames_end(), true),
            .why = {.code = errc::unterminated_stream, .offset = offset, .found = walk.frames_end()}};
  }
  // The archive ends inside the first frame, inside its magic, or right after the preamble.
  const std::uint64_t left = range.end - walk.position();
  failure unread;
  const auto rest =
      window.at(offset + walk.position(), static_cast<std::size_t>(std::min<std::uint64_t>(left, 1)), unread);
  const bool cut = why.code == make_error_code(errc::frame_exceeds_message) || left == 0 ||
                   (left == 1 && !unread && rest[0] == wire::frame_magic[0]);
  return {.status = cut ? message_status::cut_off : message_status::none, .why = why};
}

}  // namespace

parsed_message parse_message_at(io::window& window, std::uint64_t offset, const open_options& options) noexcept {
  const std::uint64_t left = window.in().size() - offset;
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(left, wire::preamble_size));
  failure why;
  const auto bytes = window.at(offset, size, why);
  if (why) return unreadable(why);
  if (size < wire::message_magic.size() && !begins_magic(bytes))
    return rejected(message_status::none, errc::not_a_message, offset);
  if (size >= wire::message_magic.size() && !wire::starts_with(bytes, 0, wire::message_magic))
    return rejected(message_status::none, errc::not_a_message, offset);
  if (size < wire::preamble_size)
    return rejected(message_status::cut_off, errc::message_exceeds_file, offset, wire::preamble_size, size);

  const auto start = wire::parse_preamble(bytes);
  if (!start) return rejected(message_status::none, errc::not_a_message, offset);  // the bytes changed meanwhile
  const bool pre_release = start->version == 1 && wire::load_be<std::uint16_t>(bytes, 8) == 0;
  if (!pre_release && !wire::has_frames(start->version))
    return rejected(message_status::none, errc::unknown_version, offset, 3, start->version);
  if (start->total_length == 0 && start->version != 1) return parse_stream(window, offset, *start, options);
  return parse_bounded(window, offset, *start);
}

parsed_message parse_message_ending_at(io::window& window, std::uint64_t end) noexcept {
  constexpr std::size_t tail = wire::postamble_size(3);
  if (end < wire::min_message_size(3)) return rejected(message_status::none, errc::not_a_message, end);
  failure why;
  const auto last = window.at(end - tail, tail, why);
  if (why) return unreadable(why);
  const auto postamble = wire::parse_postamble(last, 3);
  if (!postamble || !wire::is_message_length(postamble->total_length, 3, end))
    return rejected(message_status::none, errc::not_a_message, end);

  const std::uint64_t length = postamble->total_length;
  if (!wire::is_footer_offset(postamble->first_footer_offset, wire::frames_end(length, 3)))
    return rejected(message_status::none, errc::not_a_message, end);
  const std::uint64_t begin = end - length;
  // Before the message must be the end of another one, or nothing. Otherwise it may be inside a payload.
  const std::size_t before = begin == 0 ? 0 : wire::end_magic.size();
  if (before > begin) return rejected(message_status::none, errc::not_a_message, begin);
  // A frame or the postamble follows. No message is so short that the window would reach beyond it.
  const auto first = window.at(begin - before, before + wire::preamble_size + wire::frame_magic.size(), why);
  if (why) return unreadable(why);
  const auto start = wire::parse_preamble(first.subspan(before));
  if (!start || start->version != 3 || start->total_length != length)
    return rejected(message_status::none, errc::not_a_message, begin);
  if (before > 0 && !wire::starts_with(first, 0, wire::end_magic))
    return rejected(message_status::none, errc::not_a_message, begin);
  if (length > wire::min_message_size(3) && !wire::starts_with(first, before + wire::preamble_size, wire::frame_magic))
    return rejected(message_status::none, errc::not_a_frame, begin);
  return {.status = message_status::whole, .message = make_position(begin, length, 3, false)};
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
