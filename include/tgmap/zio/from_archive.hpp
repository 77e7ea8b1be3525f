// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tgmap/archive.hpp>
#include <tgmap/zio/frame.hpp>
#include <tgmap/zio/message.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// Options of `from_archive`.
struct from_archive_options {
  /// Sends encoded objects as their stored bytes with their descriptors. The receiver must know Tensogram.
  /// Default: false, objects are decoded.
  bool keep_encoded = false;
  /// Sends bfloat16 elements as unsigned integers of 2 bytes and bits as bytes; TENS has no type for them. The label
  /// states the true type. Default: false, such objects are an error.
  bool raw_words = false;
  /// Maximum number of payload bytes of a message that may be copied because they cannot be used in the mapping.
  /// Default: no limit.
  std::uint64_t max_copied = UINT64_MAX;
};

/// A `from_archive_result` is a message of an archive as a ZIO message.
struct from_archive_result {
  zio::message message{};
  /// The format of the single frame that the message was recorded from.
  frame_format format{};
  /// True if level, form and coordinates were recorded with the message. Otherwise they are 0, and the form is TENS.
  bool is_original = false;
  /// Bytes of the payload that were copied; 0 if all of it lies in the mapping.
  std::uint64_t bytes_copied = 0;
};

/// Converts a message of an archive to a ZIO message.
///
/// A message that `to_archive` recorded becomes the original ZIO message, byte for byte. Any other message becomes a
/// TENS message with each object as a tensor in a part of its own.
///
/// An object that needs no decoding becomes a part in the mapping, without a copy. Other objects are decoded to C order
/// and little-endian. Keys of an object with a number, text, true, false or null become `metadata` of its tensor. All
/// other metadata goes into `metadata` of the message, in the representation of docs/zio.md.
/// Errors: those of `message::size`, `message::metadata`, `message::base`, `object::descriptor` and `object::decode`;
/// decoded_limit (`max_copied`); no_counterpart; out_of_memory. `object` is the index of the object at fault.
/// Complexity: O(metadata + bytes that are not used in place).
/// Lifetime: the parts keep the mapping; the archive may be destroyed.
TGMAP_API from_archive_result from_archive(const archive&, const tgmap::message&, const from_archive_options& = {});
TGMAP_API from_archive_result from_archive(const archive&, const tgmap::message&, const from_archive_options&,
                                           failure&) noexcept;
inline from_archive_result from_archive(const archive& from, const tgmap::message& source, failure& why) noexcept {
  return from_archive(from, source, from_archive_options(), why);
}

/// Writes the result into an existing object and reuses its memory. Otherwise the same.
TGMAP_API void from_archive(const archive&, const tgmap::message&, const from_archive_options&,
                            from_archive_result& into, failure&) noexcept;
inline void from_archive(const archive& from, const tgmap::message& source, from_archive_result& into,
                         failure& why) noexcept {
  from_archive(from, source, from_archive_options(), into, why);
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
