// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/write/sink.hpp>
#include <tgmap/zio/message.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// A `frame_format` describes how a single frame differs from the one that `encode` writes by default.
///
/// With it, `encode` writes the frame again byte for byte.
struct frame_format {
  /// Indices of the parts whose length is below 255 and yet takes five bytes. Ascending; the prefix is 0, the
  /// coordinates are 1. Default: none, the shortest form.
  std::vector<std::uint64_t> long_lengths{};
  bool operator==(const frame_format&) const = default;
};

/// Returns the number of bytes of the frame that `encode` writes.
///
/// The single-frame form is for files, and for CLIENT and SERVER sockets. Each part follows its length. A length below
/// 255 is one byte; any other is FF and four bytes, big-endian.
/// Errors: part_too_large (a part of 4 GiB or more), out_of_memory.
/// Complexity: O(parts + label).
TGMAP_API std::uint64_t encoded_size(const message&, const frame_format& = {});
TGMAP_API std::uint64_t encoded_size(const message&, const frame_format&, failure&) noexcept;
inline std::uint64_t encoded_size(const message& source, failure& why) noexcept {
  return encoded_size(source, frame_format(), why);
}

/// Returns the single frame of a message. Every part is copied once.
/// Errors: part_too_large (`offset` is the position of the part in the frame), out_of_memory.
/// Complexity: O(bytes).
TGMAP_API std::vector<std::byte> encode(const message&, const frame_format& = {});
TGMAP_API std::vector<std::byte> encode(const message&, const frame_format&, failure&) noexcept;
inline std::vector<std::byte> encode(const message& source, failure& why) noexcept {
  return encode(source, frame_format(), why);
}

/// Writes the single frame of a message to a sink. Parts are passed to the sink without a copy.
/// Errors: part_too_large, out_of_memory; those of the sink.
TGMAP_API void encode(const message&, const frame_format&, sink&);
TGMAP_API void encode(const message&, const frame_format&, sink&, failure&) noexcept;
inline void encode(const message& source, sink& to) { encode(source, frame_format(), to); }
inline void encode(const message& source, sink& to, failure& why) noexcept { encode(source, frame_format(), to, why); }

/// Reads a single frame. Lengths of one byte and of five bytes are accepted.
///
/// `format`, if not null, receives the differences from the default form.
/// Errors: part_exceeds_frame; those of `from_parts`. `offset` is a position in the frame.
/// Complexity: O(parts + label).
/// Lifetime: the payload borrows from `frame`. Its parts share `owner`, if given, which should keep these bytes.
TGMAP_API message decode(std::span<const std::byte> frame, const pin& owner = {}, frame_format* format = nullptr);
TGMAP_API message decode(std::span<const std::byte> frame, const pin& owner, frame_format* format, failure&) noexcept;
inline message decode(std::span<const std::byte> frame, const pin& owner, failure& why) noexcept {
  return decode(frame, owner, nullptr, why);
}
inline message decode(std::span<const std::byte> frame, failure& why) noexcept {
  return decode(frame, pin(), nullptr, why);
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
