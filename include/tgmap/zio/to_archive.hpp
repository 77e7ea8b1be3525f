// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/write/new_message.hpp>
#include <tgmap/zio/frame.hpp>
#include <tgmap/zio/message.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// A ZIO message as a message to be written into an archive: each part of the payload an object, in order, stored as it
/// is. Nothing is lost: from_archive gives the same message again, byte for byte. docs/zio.md tells where all of it
/// goes.
///
/// A part is of the type and shape of the first tensor that lies in it; bytes where none does, where its description
/// makes no sense, or where Tensogram has no such type (then with the bytes of an element as a last dimension). What
/// the headers and the label say is under `zio` in the metadata of the message, what they say of a tensor under `zio`
/// in that of its object.
///
/// A message that from_archive made of an archive becomes what it was made of: the same values and metadata. What its
/// coordinates say is added under `zio` where they are not 0.
///
/// `spelling`, if the message came as a single frame, is kept with it. Borrows the payload until it is written.
/// O(label + parts). Errors: out_of_memory. A label that makes no sense is no error: it is kept.
TGMAP_API new_message to_archive(const message&, const frame_format& = {});
TGMAP_API new_message to_archive(const message&, const frame_format&, failure&) noexcept;
inline new_message to_archive(const message& what, failure& why) noexcept {
  return to_archive(what, frame_format(), why);
}

/// The same into a message that was used before.
TGMAP_API void to_archive(const message&, const frame_format&, new_message& into, failure&) noexcept;
inline void to_archive(const message& what, new_message& into, failure& why) noexcept {
  to_archive(what, frame_format(), into, why);
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
