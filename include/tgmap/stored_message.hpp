// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <tgmap/message.hpp>
#include <tgmap/new_object.hpp>
#include <tgmap/writer.hpp>

namespace tgmap {
inline namespace v0 {

/// A message of an archive taken apart, so that it can be written again with something of it changed.
///
/// Its objects are `stored_object::of` of each: whole frames, whose payloads and digests stay as they lie. What
/// preceders say is in their keys. Its provenance is kept. A stream becomes a message of known length, whose lists stay
/// where they are. May be used again and again: then messages that are alike take no memory.
struct stored_message {
  new_message content{};
  write_options options{};  ///< what it has of lists and digests; of provenance and alignment nothing

  /// Takes one apart; borrows from its archive. O(bytes of its structure); of small messages that is one look.
  /// Errors: those of message::frames, size, metadata, reserved; stored_object::of. Then this holds nothing of use.
  TGMAP_API void load(const message&);
  TGMAP_API void load(const message&, failure&) noexcept;

  /// The same with some of its objects, in this order; of none of the others anything is looked at but their frames.
  /// O(frames). Errors: as above; out_of_range.
  TGMAP_API void load(const message&, std::span<const std::size_t> objects);
  TGMAP_API void load(const message&, std::span<const std::size_t> objects, failure&) noexcept;
};

}  // namespace v0
}  // namespace tgmap
