// SPDX-License-Identifier: Apache-2.0
// Reads all that a common small message says of itself in one look. Without it rewrite/set/small takes 2.3 times as
// long.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "archive/common_header.hpp"
#include "archive/object_facts.hpp"
#include "archive/state.hpp"
#include "io/window.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A message of version 3 whose metadata holds nothing but the three sections of today, as maps. Agrees with what
/// message and frame say, or knows nothing (false), whatever the bytes. Metadata lies in a copy, and is there until an
/// object is asked for; of what is not there nothing lies there.
class common_message {
 public:
  using encoded_map = std::span<const std::byte>;

  common_message(const archive_state& state, const message_position& of) noexcept
      : state_(&state), message_(&of), window_(state.bytes(), io::nearby::wanted) {}

  /// Looks at the header.
  bool read() noexcept;

  std::size_t objects() const noexcept { return static_cast<std::size_t>(header_.objects); }
  encoded_map extra() const noexcept { return extra_; }
  encoded_map reserved() const noexcept { return reserved_; }
  encoded_map base(std::size_t j) const noexcept { return base_[j]; }

  /// Looks at object `j`.
  bool find(std::size_t j, object_facts&) noexcept;

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
  std::array<encoded_map, kept_from - 1> base_{};
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
