// SPDX-License-Identifier: Apache-2.0
// Fast path for common messages: reads the header at once, then an object at once. Agrees with find_object and
// read_object_parts, or returns false; the caller then uses those. Without it first_touch/small/memory takes 2.1 times
// as long, first_metadata 1.9, first_size 1.7, command/ls_keys/small 1.4, and rewrite/set/small 2.3 times as long
// (class common_message). common_message_test compares them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/frame.hpp>

#include "archive/archive_state.hpp"
#include "archive/lookup/message_structure.hpp"
#include "archive/lookup/object_parts.hpp"
#include "io/window.hpp"

namespace tgmap {
inline namespace v0 {

namespace detail {

/// A `common_header` is the header of a common message. Its index lists few objects, one directly after the other, and
/// nothing follows them.
struct common_header {
  std::uint64_t objects = 0;                                ///< at least 1
  std::array<object_place, min_cached_objects - 1> places;  ///< the first `objects` are set
  bool has_hash_list = false;
  bool states_hash = false;  ///< in a header frame

  /// body of the index frame
  std::span<const std::byte> index{};

  /// body of the metadata frame; empty if there is none, or if there are several
  std::span<const std::byte> metadata{};
  std::uint64_t metadata_offset = 0;  ///< archive offset of `metadata`

  std::span<const std::byte> frames{};  ///< all header frames
};

/// Messages up to this size are read whole, so that there is only one wait for memory.
inline constexpr std::size_t max_whole_message = 2048;

/// Parses the header of a message. `frames` begin with its first frame and hold at least the header of the first
/// object. Compares no object with the index.
/// Lifetime: as `frames`.
bool parse_common_header(const open_options&, std::span<const std::byte> frames, const message_position&,
                         common_header&) noexcept;

/// Reads the header of a message. Messages of at most `whole_up_to` bytes are read whole. Compares the first `compared`
/// objects with their frame headers, because the number of an object depends on all objects before it.
/// Lifetime: `index`, `metadata` and `frames` are valid until the next read through the window.
bool read_common_header(const archive_state&, io::window&, const message_position&, std::uint64_t whole_up_to,
                        std::uint64_t compared, common_header&) noexcept;

/// Finds object `j` of a message with few objects, a header index directly before them and a descriptor without masks
/// after the payload. Returns false for messages that have a record in the cache.
bool find_common_object(const archive_state&, io::window&, const message_position&, std::uint64_t j, object_parts&,
                        std::uint64_t& objects) noexcept;

/// A message of version 3 whose metadata holds only the sections of the current format. The sections are copies, valid
/// until find() is called; an absent section is empty.
class common_message {
 public:
  using encoded_map = std::span<const std::byte>;

  common_message(const archive_state& state, const message_position& message) noexcept
      : state_(&state), message_(&message), window_(state.bytes(), io::locality::clustered) {}

  /// Reads the header.
  bool read() noexcept;

  /// Returns true if the hashes of all header frames match, or if the message has none. Call it before find().
  bool header_hashes_match() const noexcept;

  std::size_t objects() const noexcept { return static_cast<std::size_t>(header_.objects); }
  encoded_map extra() const noexcept { return extra_; }
  encoded_map reserved() const noexcept { return reserved_; }
  encoded_map base(std::size_t j) const noexcept { return base_[j]; }

  /// Reads object `j`.
  bool find(std::size_t j, object_parts&) noexcept;

  bool has_hash_list() const noexcept { return header_.has_hash_list; }

  /// Checks if one of the frames read so far states a hash. Old releases wrote hashes that no frame states (§4).
  bool states_hash() const noexcept { return header_.states_hash; }

 private:
  bool read_base(std::span<const std::byte> elements, std::uint64_t count) noexcept;

  const archive_state* state_;
  const message_position* message_;
  io::window window_;
  common_header header_;
  encoded_map extra_{}, reserved_{};
  std::array<encoded_map, min_cached_objects - 1> base_{};
};

}  // namespace detail

}  // namespace v0
}  // namespace tgmap
