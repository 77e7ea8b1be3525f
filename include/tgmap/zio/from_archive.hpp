// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tgmap/archive.hpp>
#include <tgmap/zio/frame.hpp>
#include <tgmap/zio/message.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// How objects travel. Aggregate.
struct from_archive_options {
  /// Objects that are encoded go as the bytes that are stored, with their descriptors; whoever takes them must know
  /// Tensogram. Else they are decoded.
  bool keep_encoded = false;
  /// Elements that TENS has no word for, bfloat16 and bits, go as unsigned words of their width, bits as bytes; the
  /// label says what they are. Else they are refused.
  bool raw_words = false;
  /// Maximum number of bytes of a message that are copied because they cannot lie in the mapping, all parts together.
  /// Default: any number.
  std::uint64_t max_copied = UINT64_MAX;
};

/// A message of an archive as a ZIO message.
struct from_archive_result {
  zio::message message{};
  frame_format format{};           ///< of the frame that it was recorded from
  bool is_original = false;        ///< level, form and coordinates are those that were recorded; else 0, and form TENS
  std::uint64_t bytes_copied = 0;  ///< of payload: 0 where all of it lies in the mapping
};

/// A message of an archive as a ZIO message: the one that to_archive made it of, byte for byte; of any other one a
/// TENS message with each object as a tensor in a part of its own.
///
/// Objects that need nothing to be undone are parts where they lie in the mapping; the parts keep it, so the archive
/// may go. Others are decoded, into C order and little-endian. Keys of an object that are numbers, text, true, false
/// or null are `metadata` of its tensor; everything else that must not be lost is in `metadata` of the message, in the
/// spelling that docs/zio.md describes.
/// O(metadata + bytes that are not used in place). Errors: those of message::size, metadata, base, object::descriptor,
/// decode; decoded_limit (`max_copied`); no_counterpart; out_of_memory. `object` says which one.
TGMAP_API from_archive_result from_archive(const archive&, const tgmap::message&, const from_archive_options& = {});
TGMAP_API from_archive_result from_archive(const archive&, const tgmap::message&, const from_archive_options&,
                                           failure&) noexcept;
inline from_archive_result from_archive(const archive& from, const tgmap::message& what, failure& why) noexcept {
  return from_archive(from, what, from_archive_options(), why);
}

/// The same into one that was used before.
TGMAP_API void from_archive(const archive&, const tgmap::message&, const from_archive_options&,
                            from_archive_result& into, failure&) noexcept;
inline void from_archive(const archive& from, const tgmap::message& what, from_archive_result& into,
                         failure& why) noexcept {
  from_archive(from, what, from_archive_options(), into, why);
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
