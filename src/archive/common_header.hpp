// SPDX-License-Identifier: Apache-2.0
// Reads the header of a common message in one look, and one of its objects in another. Agrees with find_object and
// read_object or returns false, whatever the bytes; then those say what there is, and what is wrong. Without it
// first_touch/small/memory takes 2.1 times as long, first_metadata 1.9, first_size 1.7, and command/ls_keys/small 1.4.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <tgmap/frame.hpp>

#include "archive/layout.hpp"
#include "archive/object_facts.hpp"
#include "io/window.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Holds the header of a common message: its index lists few objects, each follows the one before, and nothing follows
/// the last one.
struct common_header {
  std::uint64_t objects = 0;                       ///< one at least
  std::array<object_place, kept_from - 1> places;  ///< of all of them; set up to their number
  bool hash_list = false;                          ///< there is one
  bool hashes = false;                             ///< a frame of the header says that it has a digest

  std::span<const std::byte> metadata{};  ///< the body of the one metadata frame; empty: there is none, or several
  std::uint64_t metadata_at = 0;          ///< its archive offset
};

/// Messages up to this many bytes are read whole with their header: that waits for memory once.
inline constexpr std::size_t message_look = 2048;

/// The header frames of most messages with few objects fit into this many bytes.
inline constexpr std::size_t header_look = 512;

/// Agrees with find_object on all that it tells. `whole_up_to`: of messages up to that many bytes all are looked at.
/// `compared`: the headers of the first so many listed frames are compared with the index; the identity of an object
/// depends on all before it. The span lies in the window and lasts as long as what it holds.
bool read_common_header(const archive_state&, io::window&, const message_position&, std::uint64_t whole_up_to,
                        std::uint64_t compared, common_header&) noexcept;

/// Reads object `j` of a message with few objects, a header index right before them, nothing behind them, and a
/// descriptor without masks that follows its payload. Not of a message whose places are remembered already.
bool find_common_object(const archive_state&, io::window&, const message_position&, std::uint64_t j, object_facts&,
                        std::uint64_t& objects) noexcept;

/// Reads an object that a header was found to list.
bool read_common_object(io::window&, const message_position&, const object_place&, object_facts&) noexcept;

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
