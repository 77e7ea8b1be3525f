// SPDX-License-Identifier: Apache-2.0
// Frames, specification §2.2–2.7.
//
//   header (16)                         tail
//   0  2  "FR"                          version 2:           "ENDF"
//   2  2  type                          version 2, objects:  cbor_offset (8) "ENDF"
//   4  2  frame version, always 1       version 3:           hash (8) "ENDF"
//   6  2  flags                         version 3, objects:  cbor_offset (8) hash (8) "ENDF"
//   8  8  total_length, header to ENDF
#pragma once

#include <optional>

#include "wire/bytes.hpp"

namespace tgmap::wire {

inline constexpr auto frame_magic = ascii("FR");
inline constexpr auto frame_end_magic = ascii("ENDF");
inline constexpr std::size_t frame_header_size = 16;
inline constexpr std::size_t largest_frame_tail = 20;

enum frame_flag : std::uint16_t {
  cbor_after_payload_flag = 1u << 0,  ///< data objects: payload first, then descriptor
  hash_present_flag = 1u << 1,        ///< version 3 from release 0.21 on
};

enum frame_kind : std::uint16_t {
  header_metadata_frame = 1,
  header_index_frame = 2,
  header_hash_frame = 3,
  old_object_frame = 4,
  footer_hash_frame = 5,
  footer_index_frame = 6,
  footer_metadata_frame = 7,
  preceder_frame = 8,
  object_frame = 9,
};

enum class phase : std::uint8_t { header, body, footer, unknown };

/// Type 4 is a data object in version 2 only; type 9 in both (version 2: a development window).
[[nodiscard]] constexpr bool is_object(std::uint16_t type, unsigned version) noexcept {
  return type == object_frame || (type == old_object_frame && version == 2);
}

/// Returns the type of data objects that writers of a version use.
[[nodiscard]] constexpr std::uint16_t object_type(unsigned version) noexcept {
  return version == 2 ? old_object_frame : object_frame;
}

[[nodiscard]] constexpr phase phase_of(std::uint16_t type, unsigned version) noexcept {
  if (type >= header_metadata_frame && type <= header_hash_frame) return phase::header;
  if (is_object(type, version) || type == preceder_frame) return phase::body;
  if (type >= footer_hash_frame && type <= footer_metadata_frame) return phase::footer;
  return phase::unknown;
}

/// Returns the number of bytes between the body and the end of a frame. Frames of unknown type count as non-objects.
[[nodiscard]] constexpr std::size_t tail_size(std::uint16_t type, unsigned version) noexcept {
  return (version == 2 ? 4u : 12u) + (is_object(type, version) ? 8u : 0u);
}

struct frame_header {
  std::uint16_t type = 0;
  std::uint16_t version = 0;
  std::uint16_t flags = 0;
  std::uint64_t length = 0;
};

/// Parses the frame header at `bytes[0]`; returns nothing if the magic is missing.
[[nodiscard]] constexpr std::optional<frame_header> parse_frame_header(std::span<const std::byte> bytes) noexcept {
  if (bytes.size() < frame_header_size || !starts_with(bytes, 0, frame_magic)) return std::nullopt;
  return frame_header{.type = load_be<std::uint16_t>(bytes, 2),
                      .version = load_be<std::uint16_t>(bytes, 4),
                      .flags = load_be<std::uint16_t>(bytes, 6),
                      .length = load_be<std::uint64_t>(bytes, 8)};
}

/// Writes a frame header of `frame_header_size` bytes at `to`.
constexpr void put_frame_header(std::byte* to, const frame_header& what) noexcept {
  std::copy(frame_magic.begin(), frame_magic.end(), to);
  store_be(to + 2, what.type);
  store_be(to + 4, what.version);
  store_be(to + 6, what.flags);
  store_be(to + 8, what.length);
}

/// The bytes after the body of a frame.
struct frame_tail {
  std::uint64_t cbor_offset = 0;  ///< data objects only
  std::uint64_t hash = 0;         ///< version 3 only; 0: none
};

/// Writes a frame tail of `tail_size(type, version)` bytes at `to`.
constexpr void put_frame_tail(std::byte* to, const frame_tail& what, std::uint16_t type, unsigned version) noexcept {
  if (is_object(type, version)) {
    store_be(to, what.cbor_offset);
    to += 8;
  }
  if (version != 2) {
    store_be(to, what.hash);
    to += 8;
  }
  std::copy(frame_end_magic.begin(), frame_end_magic.end(), to);
}

/// Returns the hash in the tail of a whole frame of version 3.
[[nodiscard]] constexpr std::uint64_t stored_hash(std::span<const std::byte> frame) noexcept {
  return load_be<std::uint64_t>(frame, frame.size() - frame_end_magic.size() - sizeof(std::uint64_t));
}

/// Returns the smallest length of a frame: header and tail.
[[nodiscard]] constexpr std::uint64_t min_frame_size(std::uint16_t type, unsigned version) noexcept {
  return frame_header_size + tail_size(type, version);
}

/// Checks the end marker of the frame at [at, at + length) of `bytes`, which must hold all of it.
constexpr bool frame_ends(std::span<const std::byte> bytes, std::uint64_t at, std::uint64_t length) noexcept {
  return starts_with(bytes, static_cast<std::size_t>(at + length - frame_end_magic.size()), frame_end_magic);
}

}  // namespace tgmap::wire
