// SPDX-License-Identifier: Apache-2.0
#include "archive/lookup/frame_walk.hpp"

#include <algorithm>

#include "wire/message_layout.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

bool is_unreadable(const failure& why) noexcept {
  // A byte_source may have codes of its own.
  return (why && why.code.category() != category()) || why.code == condition::io ||
         why.code == make_error_code(errc::file_shrank) || why.code == make_error_code(errc::out_of_memory);
}

failure frame_walk::fail(errc code, std::uint64_t expected, std::uint64_t found) const noexcept {
  return {.code = code, .offset = range_.message + at_, .expected = expected, .found = found};
}

/// Checks if `bytes` begin with the postamble of this stream: its end magic, and its length or 0.
bool frame_walk::is_postamble(std::span<const std::byte> bytes) const noexcept {
  const std::size_t size = wire::postamble_size(range_.version);
  if (bytes.size() < size) return false;
  const auto found = wire::parse_postamble(bytes, range_.version);
  return found && wire::agrees_with_length(found->total_length, at_ + size);
}

/// Checks if a message begins in the padding after the last frame. A stream that was cut may be followed by anything,
/// at any alignment.
bool frame_walk::has_message_in_padding(failure& why) const noexcept {
  const std::uint64_t max_search = at_ - from_.end + wire::message_magic.size();
  const auto size = static_cast<std::size_t>(std::min(max_search, range_.end - from_.end));
  const auto bytes = window_->at(range_.message + from_.end, size, why);
  return std::search(bytes.begin(), bytes.end(), wire::message_magic.begin(), wire::message_magic.end()) != bytes.end();
}

/// Returns the number of bytes from `at_` on at which neither a frame nor the postamble can begin.
std::uint64_t frame_walk::skippable_bytes(failure& why) const noexcept {
  const std::uint64_t at = range_.message + at_, left = range_.end - at_;
  const std::uint64_t size = std::min<std::uint64_t>(io::window::largest - at % io::window::largest, left);
  const std::size_t end_at = wire::postamble_size(range_.version) - wire::end_magic.size();
  const auto bytes = window_->at(at, static_cast<std::size_t>(size), why);
  std::size_t n = 0;
  while (n + end_at < bytes.size() && bytes[n] != wire::frame_magic[0] && bytes[n] != wire::message_magic[0] &&
         bytes[n + end_at] != wire::end_magic[0])
    ++n;
  return n;
}

/// Moves from `at_` over zeros to a frame or the end. Returns false on damage.
bool frame_walk::skip_zeros(bool& end, failure& why) noexcept {
  const std::uint64_t aligned = at_ - from_.end, limit = std::min(range_.max_padding, longest_alignment),
                      max_search = std::min(aligned + limit, longest_alignment);
  for (bool zeros = true; zeros && at_ < range_.end && at_ - from_.end <= max_search;) {
    const std::uint64_t at = range_.message + at_;
    const auto size = static_cast<std::size_t>(std::min(io::page - at % io::page, range_.end - at_));
    const auto bytes = window_->at(at, size, why);
    if (why) return false;
    const auto other = std::find_if(bytes.begin(), bytes.end(), [](std::byte b) { return b != std::byte{0}; });
    at_ += static_cast<std::uint64_t>(other - bytes.begin());
    zeros = other == bytes.end();
  }
  if (const std::uint64_t passed = at_ - from_.end; passed > max_search) {
    why = fail(errc::padding_too_long, max_search, passed);
    return false;
  }
  end = at_ == range_.end;
  if (end) return true;
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(wire::frame_magic.size(), range_.end - at_));
  const auto magic = window_->at(range_.message + at_, size, why);
  if (!why && !wire::starts_with(magic, 0, wire::frame_magic)) why = fail(errc::not_a_frame, from_.end, at_);
  return !why;
}

/// Moves to the next frame or the postamble. Returns false on damage.
///
/// Any bytes may be between two frames, as in the reference implementation (§2.5). In a stream whose end is not known,
/// a message magic ends the search, so that no byte is searched twice.
bool frame_walk::seek(std::uint64_t& padding, bool& end, failure& why) noexcept {
  if (!(range_.end_known && at_ == range_.end)) at_ = std::min(from_.next, range_.end);
  if (range_.zeros_only && from_.allows_padding) {
    const bool passed = skip_zeros(end, why);
    padding = at_ - from_.end;
    return passed;
  }
  const std::uint64_t max_search = from_.allows_padding ? range_.max_padding : 0;
  for (std::uint64_t skipped = 0;; ++skipped, ++at_) {
    padding = at_ - from_.end;
    end = range_.end_known && at_ == range_.end;
    if (end) return true;
    // Reads the header of a frame and the rest of its page. The next page may hold nothing but payload.
    const auto min_size = static_cast<std::size_t>(std::min<std::uint64_t>(wire::frame_header_size, range_.end - at_)),
               size = static_cast<std::size_t>(std::min<std::uint64_t>(wire::largest_postamble, range_.end - at_));
    const std::size_t ahead = skipped > 0 ? io::window::largest : std::max(range_.ahead, size - min_size);
    auto bytes = window_->at(range_.message + at_, min_size, why, {.after = ahead});
    if (why) return false;
    if (wire::starts_with(bytes, 0, wire::frame_magic)) return true;
    bytes = window_->at(range_.message + at_, size, why);
    if (why) return false;
    bool message = false;
    if (!range_.end_known) {
      if (is_postamble(bytes)) return end = true;
      message = skipped == 0 ? has_message_in_padding(why) : wire::starts_with(bytes, 0, wire::message_magic);
      if (why) return false;
    }
    if (size == 0 || max_search == 0 || message) {
      why = fail(errc::not_a_frame);
      return false;
    }
    if (skipped >= max_search) {
      why = fail(errc::padding_too_long, max_search, skipped);
      return false;
    }
    if (skipped > 0) {
      const std::uint64_t skippable = std::min(skippable_bytes(why), max_search - skipped);
      if (why) return false;
      const std::uint64_t extra_steps = skippable > 0 ? skippable - 1 : 0;  // the loop itself takes one more step
      skipped += extra_steps;
      at_ += extra_steps;
    }
  }
}

/// Reads the header at `at_`. Returns false on damage.
bool frame_walk::read_frame_header(wire::frame_header& out, failure& why) noexcept {
  const std::uint64_t left = range_.end - at_;
  if (left < wire::frame_header_size) {
    why = fail(errc::frame_exceeds_message, wire::frame_header_size, left);
    return false;
  }
  const auto header = wire::parse_frame_header(window_->at(range_.message + at_, wire::frame_header_size, why));
  if (!header) {
    if (!why) why = fail(errc::not_a_frame);  // the bytes changed meanwhile
    return false;
  }
  out = *header;
  return true;
}

std::optional<frame_place> frame_walk::peek(failure& why) noexcept {
  bool end = false;
  frame_place out;
  if (!seek(out.padding, end, why) || end) return std::nullopt;
  out.offset = at_;
  return read_frame_header(out.header, why) ? std::optional(out) : std::nullopt;
}

walk_step frame_walk::next(frame_place& out, failure& why) noexcept {
  bool end = false;
  if (!seek(out.padding, end, why)) return walk_step::damage;
  if (end) return walk_step::end;

  out.offset = at_;
  const std::uint64_t left = range_.end - at_;
  if (!read_frame_header(out.header, why)) return walk_step::damage;
  const wire::frame_header header = out.header;
  const std::uint64_t min_size = wire::min_frame_size(header.type, range_.version);
  if (header.length < min_size) {
    why = fail(errc::frame_too_short, min_size, header.length);
    return walk_step::damage;
  }
  if (header.length > left) {
    why = fail(errc::frame_exceeds_message, header.length, left);
    return walk_step::damage;
  }
  // The next frame begins where this one ends: one read mostly covers both.
  const auto last =
      window_->at(range_.message + at_ + header.length - wire::frame_end_magic.size(), wire::frame_end_magic.size(),
                  why, {.before = range_.before_end, .after = wire::largest_postamble + 8});
  if (why) return walk_step::damage;
  if (!wire::starts_with(last, 0, wire::frame_end_magic)) {
    why = fail(errc::missing_frame_end, header.length);
    return walk_step::damage;
  }
  from_ = walk_start::after(at_, header.length);
  range_.ahead = 0;
  at_ = from_.end;
  has_frames_ = true;
  return walk_step::frame;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
