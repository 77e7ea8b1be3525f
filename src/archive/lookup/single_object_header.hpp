// SPDX-License-Identifier: Apache-2.0
// The header and the descriptor of a message of one object, with two reads at most. Messages of other forms are read by
// find_object and read_object_parts.
#pragma once

#include <cstdint>
#include <span>
#include <tgmap/message.hpp>

#include "archive/lookup/common_message.hpp"
#include "archive/lookup/object_cache.hpp"
#include "io/window.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A `single_object_header` reads the header of a message of one object, in the common form, and its descriptor.
/// Lifetime: borrows the message.
class single_object_header {
 public:
  explicit single_object_header(const message&) noexcept;

  /// Reads the header. Returns false for messages of another form.
  bool read() noexcept;

  /// Returns the body of the metadata frame. Lifetime: until read_descriptor().
  std::span<const std::byte> metadata() const noexcept { return header_.metadata; }

  /// Reads the descriptor. `region`: size of the payload and its masks. Returns false if it is of another form; the
  /// caller then reads it in the general way. Lifetime of `bytes`: until the next call.
  bool read_descriptor(std::span<const std::byte>& bytes, std::uint64_t& region) noexcept;

  /// Caches the places of the sections, which are offsets of the metadata.
  void keep_places(object_cache::metadata_places) const noexcept;

  const archive_state& archive() const noexcept { return *state_; }

 private:
  const archive_state* state_;
  const message_position* position_;
  io::window window_;
  common_header header_;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
