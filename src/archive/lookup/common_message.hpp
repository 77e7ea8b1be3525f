// SPDX-License-Identifier: Apache-2.0
// @@
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

/// Holds the header of a common message: its index lists few objects, each follows the one before, and nothing follows
/// the last one.
struct common_header {
  std::uint64_t objects = 0;                         ///< one at least
  std::array<object_place, cached_from - 1> places;  ///< of all of them; set up to their number
  bool hash_list = false;                            ///< there is one
  bool hashes = false;                               ///< a frame of the header says that it has a digest

  std::span<const std::byte> metadata{};  ///< the body of the one metadata frame; empty: there is none, or several
  std::uint64_t metadata_at = 0;          ///< its archive offset
};

/// Messages up to this many bytes are read whole with their header: that waits for memory once.
inline constexpr std::size_t message_look = 2048;

/// Agrees with find_object on all that it tells. `whole_up_to`: of messages up to that many bytes all are looked at.
/// `compared`: the headers of the first so many listed frames are compared with the index; the identity of an object
/// depends on all before it. The span lies in the window and lasts as long as what it holds.
bool read_common_header(const archive_state&, io::window&, const message_position&, std::uint64_t whole_up_to,
                        std::uint64_t compared, common_header&) noexcept;

/// Reads object `j` of a message with few objects, a header index right before them, nothing behind them, and a
/// descriptor without masks that follows its payload. Not of a message whose places are remembered already.
bool find_common_object(const archive_state&, io::window&, const message_position&, std::uint64_t j, object_parts&,
                        std::uint64_t& objects) noexcept;

/// Reads an object that a header was found to list.
bool read_common_object(io::window&, const message_position&, const object_place&, object_parts&) noexcept;

/// A message of version 3 whose metadata holds nothing but the three sections of today, as maps. Agrees with what
/// message and frame say, or knows nothing (false), whatever the bytes. Metadata lies in a copy, and is there until an
/// object is asked for; of what is not there nothing lies there.
class common_message {
 public:
  using encoded_map = std::span<const std::byte>;

  common_message(const archive_state& state, const message_position& of) noexcept
      : state_(&state), message_(&of), window_(state.bytes(), io::locality::clustered) {}

  /// Looks at the header.
  bool read() noexcept;

  std::size_t objects() const noexcept { return static_cast<std::size_t>(header_.objects); }
  encoded_map extra() const noexcept { return extra_; }
  encoded_map reserved() const noexcept { return reserved_; }
  encoded_map base(std::size_t j) const noexcept { return base_[j]; }

  /// Looks at object `j`.
  bool find(std::size_t j, object_parts&) noexcept;

  bool hash_list() const noexcept { return header_.hash_list; }

  /// Whether frames say that they have digests, of those looked at. Digests may be there all the same (§4).
  bool hashes() const noexcept { return header_.hashes; }

 private:
  bool read_base(std::span<const std::byte> elements, std::uint64_t count) noexcept;

  const archive_state* state_;
  const message_position* message_;
  io::window window_;
  common_header header_;
  encoded_map extra_{}, reserved_{};
  std::array<encoded_map, cached_from - 1> base_{};
};

}  // namespace detail

}  // namespace v0
}  // namespace tgmap
