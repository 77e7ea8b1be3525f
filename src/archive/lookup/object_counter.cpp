// SPDX-License-Identifier: Apache-2.0
#include "archive/lookup/object_counter.hpp"

#include <algorithm>
#include <cstring>

#include "wire/message_layout.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

/// Reads a frame header from bytes that may change. Returns nothing if it does not fit.
std::optional<wire::frame_header> read_header(std::span<const std::byte> bytes, std::uint64_t at) noexcept {
  if (!wire::fits(at, wire::frame_header_size, bytes.size())) return std::nullopt;
  std::array<std::byte, wire::frame_header_size> copy;
  std::memcpy(copy.data(), bytes.data() + at, copy.size());
  wire::prevent_reload();
  return wire::parse_frame_header(copy);
}

}  // namespace

/// Walks the header frames. The bytes are those of the message, without its postamble.
bool object_counter::is_same(std::span<const std::byte> message) const noexcept {
  bool has_index = false;
  for (std::uint64_t at = wire::preamble_size; at <= places_[0].offset;) {
    const auto header = read_header(message, at);
    if (!header) return false;
    if (wire::is_object(header->type, version_)) {
      if (!has_index || at != places_[0].offset || header->length != places_[0].length) return false;
      break;
    }
    if (wire::phase_of(header->type, version_) != wire::phase::header ||
        !wire::is_frame_length(header->length, header->type, version_, message.size() - at) ||
        !wire::frame_ends(message, at, header->length))
      return false;
    if (header->type == wire::header_index_frame) {
      if (has_index || wire::body_size(header->length, header->type, version_) != index_size_ ||
          std::memcmp(message.data() + at + wire::frame_header_size, index_.data(), index_size_) != 0)
        return false;
      has_index = true;
    }
    at = wire::next_frame(at, header->length);
  }
  if (!has_index) return false;
  for (const object_place& each : std::span(places_).first(objects_).subspan(1)) {
    const auto header = read_header(message, each.offset);
    if (!header || !wire::is_object(header->type, version_) || header->length != each.length) return false;
  }
  return true;
}

std::optional<std::uint64_t> object_counter::count(const archive_state& state,
                                                   const message_position& message) const noexcept {
  const io::source& in = state.bytes();
  const auto& options = state.options();
  if (message.length() != length_ || message.version() != version_ || !follows(state, message) || !in.direct() ||
      options.lookup != object_lookup::index || message.is_streamed() || message.is_incomplete() ||
      options.max_objects < objects_ || options.max_metadata_bytes < max_whole_message || !in.may_look(length_))
    return std::nullopt;
  const auto begin = static_cast<std::size_t>(message.offset());
  const auto size = static_cast<std::size_t>(wire::frames_end(length_, version_));
  bool same = false;
  const failure why = in.look([&](std::span<const std::byte> all) noexcept {
    constexpr std::size_t ahead = 4, cache_line = 64;
    const std::size_t header = static_cast<std::size_t>(places_[0].offset);
    const std::size_t next = begin + ahead * static_cast<std::size_t>(length_);
    if (next < all.size() && header < all.size() - next)
      for (std::size_t at = 0; at <= header; at += cache_line) __builtin_prefetch(all.data() + next + at);
    same = is_same(all.subspan(begin, size));
  });
  return why || !same ? std::nullopt : std::optional<std::uint64_t>(objects_);
}

void object_counter::remember(const message_position& message, const common_header& header) noexcept {
  length_ = 0;
  if (header.objects > max_objects || header.index.empty() || header.index.size() > max_index) return;
  std::copy(header.index.begin(), header.index.end(), index_.begin());
  index_size_ = header.index.size();
  objects_ = static_cast<std::size_t>(header.objects);
  std::copy_n(header.places.begin(), objects_, places_.begin());
  version_ = message.version();
  length_ = message.length();
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
