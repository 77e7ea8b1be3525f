// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/write/new_message.hpp>
#include <tgmap/zio/frame.hpp>
#include <tgmap/zio/message.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// Converts a ZIO message to a message for an archive. Each part of the payload becomes an object, stored unchanged.
///
/// `from_archive` returns the same ZIO message again, byte for byte. docs/zio.md describes the mapping.
///
/// An object has the dtype and shape of the first tensor in its part. A part without a usable tensor becomes bytes. A
/// tensor whose type Tensogram lacks becomes bytes too, with the bytes of an element as the last dimension. Headers and
/// label are stored under `zio` in the metadata of the message, the attributes of a tensor under `zio` in the metadata
/// of its object.
///
/// A message that `from_archive` made from an archive becomes the archive message again, with the same values and
/// metadata. Coordinates that are not 0 are added under `zio`.
///
/// `format` is stored too, for a message that was read from a single frame. A label that cannot be parsed is stored as
/// it is; it is not an error.
/// Errors: out_of_memory.
/// Complexity: O(label + parts).
/// Lifetime: the result borrows the payload, which must live until it is written.
TGMAP_API new_message to_archive(const message&, const frame_format& format = {});
TGMAP_API new_message to_archive(const message&, const frame_format& format, failure&) noexcept;
inline new_message to_archive(const message& source, failure& why) noexcept {
  return to_archive(source, frame_format(), why);
}

/// Writes the result into an existing message and reuses its memory. Otherwise the same.
TGMAP_API void to_archive(const message&, const frame_format& format, new_message& into, failure&) noexcept;
inline void to_archive(const message& source, new_message& into, failure& why) noexcept {
  to_archive(source, frame_format(), into, why);
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
