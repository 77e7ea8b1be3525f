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

/// What a single frame says in another way than encode() would: to write it again byte for byte.
struct frame_format {
  /// Numbers of the parts, prefix and coordinates counted, ascending, whose length below 255 is spelled in five bytes.
  std::vector<std::uint64_t> long_lengths{};
  bool operator==(const frame_format&) const = default;
};

/// The single-frame form: every part behind its length, one byte below 255, else FF and four bytes, big-endian. For
/// CLIENT and SERVER sockets, and for files.
///
/// Bytes that encode() gives. Errors: part_too_large (a part of 4 GiB or more), out_of_memory.
TGMAP_API std::uint64_t encoded_size(const message&, const frame_format& = {});
TGMAP_API std::uint64_t encoded_size(const message&, const frame_format&, failure&) noexcept;
inline std::uint64_t encoded_size(const message& of, failure& why) noexcept {
  return encoded_size(of, frame_format(), why);
}

/// The frame in memory: copies every part once. Errors: as above. `offset`: where the part would begin.
TGMAP_API std::vector<std::byte> encode(const message&, const frame_format& = {});
TGMAP_API std::vector<std::byte> encode(const message&, const frame_format&, failure&) noexcept;
inline std::vector<std::byte> encode(const message& what, failure& why) noexcept {
  return encode(what, frame_format(), why);
}

/// The same into a sink, the parts from where they lie. Errors: as above; the sink's.
TGMAP_API void encode(const message&, const frame_format&, sink&);
TGMAP_API void encode(const message&, const frame_format&, sink&, failure&) noexcept;
inline void encode(const message& what, sink& to) { encode(what, frame_format(), to); }
inline void encode(const message& what, sink& to, failure& why) noexcept { encode(what, frame_format(), to, why); }

/// A frame as a message whose payload borrows from it; `owner`, if given, is what keeps its bytes. Lengths in either
/// spelling are read; `spelling`, if given, tells of those that encode() would not write. O(parts + label). Errors:
/// part_exceeds_frame, and those of from_parts; `offset` is the byte of the frame.
TGMAP_API message decode(std::span<const std::byte> frame, const pin& owner = {}, frame_format* spelling = nullptr);
TGMAP_API message decode(std::span<const std::byte> frame, const pin& owner, frame_format* spelling, failure&) noexcept;
inline message decode(std::span<const std::byte> frame, const pin& owner, failure& why) noexcept {
  return decode(frame, owner, nullptr, why);
}
inline message decode(std::span<const std::byte> frame, failure& why) noexcept {
  return decode(frame, pin(), nullptr, why);
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
