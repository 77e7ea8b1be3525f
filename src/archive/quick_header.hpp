// SPDX-License-Identifier: Apache-2.0
// The header of a common message, in one look.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <tgmap/frame.hpp>

#include "archive/layout.hpp"
#include "io/window.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// What the header frames of a message say whose index lists few objects, one right behind the other, and nothing
/// behind them.
struct quick_header {
  std::uint64_t objects = 0;                       ///< one at least
  std::array<object_place, kept_from - 1> places;  ///< of all of them; set up to their number
  bool hash_list = false;                          ///< there is one
  bool hashes = false;                             ///< a frame of the header says that it has a digest

  std::span<const std::byte> metadata{};  ///< the body of the one metadata frame; empty: there is none, or several
  std::uint64_t metadata_at = 0;          ///< its archive offset
};

/// Bytes of a message whose header is read together with all of it, and waits for memory once.
inline constexpr std::size_t message_look = 2048;

/// What header frames of few objects mostly need.
inline constexpr std::size_t header_look = 512;

/// Agrees with find_object on all that it tells, or knows nothing (false), whatever the bytes. `whole_up_to`: of
/// messages up to that many bytes all are looked at. `compared`: the headers of the first so many listed frames are
/// compared with the index; the identity of an object depends on all before it. The span lies in the window and lasts
/// as long as what it holds.
bool read_quick_header(const archive_state&, io::window&, const message_position&, std::uint64_t whole_up_to,
                       std::uint64_t compared, quick_header&) noexcept;

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
