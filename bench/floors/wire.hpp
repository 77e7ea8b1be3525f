// SPDX-License-Identifier: Apache-2.0
// Reads fields of the format without a check: floors know that the archive is sound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace tgmap_bench {

constexpr std::uint64_t preamble_bytes = 24, postamble_bytes = 24;

/// Reads the byte; the compiler cannot remove this access.
inline void load(const std::byte* at) { static_cast<void>(*static_cast<const volatile std::byte*>(at)); }

inline std::uint64_t load8(const std::byte* at) {
  std::uint64_t out;
  std::memcpy(&out, at, sizeof out);
  return __builtin_bswap64(out);
}
inline unsigned load2(const std::byte* at) {
  return std::to_integer<unsigned>(at[0]) << 8 | std::to_integer<unsigned>(at[1]);
}

inline std::uint64_t length_in_preamble(const std::byte* message) { return load8(message + 16); }
inline std::uint64_t length_in_postamble(const std::byte* end) { return load8(end - 16); }

inline bool is_frame(const std::byte* at) { return load2(at) == 0x4652; }  // "FR"
inline unsigned frame_type(const std::byte* frame) { return load2(frame + 2); }
inline std::uint64_t frame_length(const std::byte* frame) { return load8(frame + 8); }
inline std::uint64_t frame_step(const std::byte* frame) { return (frame_length(frame) + 7) & ~std::uint64_t{7}; }

inline std::span<const std::byte> payload_of_frame(const std::byte* frame) {
  const std::uint64_t descriptor_at = load8(frame + frame_length(frame) - 20);
  return {frame + 16, descriptor_at - 16};
}

/// Finds the object by walking from frame to frame.
inline std::span<const std::byte> payload_by_walk(const std::byte* message, std::size_t object) {
  for (const std::byte* frame = message + preamble_bytes;; frame += frame_step(frame))
    if (frame_type(frame) == 9 && object-- == 0) return payload_of_frame(frame);
}

/// Returns the unsigned CBOR integer at `at` and moves `at` past it.
inline std::uint64_t next_number(const std::byte*& at) {
  const unsigned low = std::to_integer<unsigned>(*at++) & 31;
  if (low < 24) return low;
  std::uint64_t out = 0;
  for (unsigned bytes = 1u << (low - 24); bytes > 0; --bytes) out = out << 8 | std::to_integer<std::uint64_t>(*at++);
  return out;
}

/// Calls `each` with each offset of a header index, the map {"lengths": […], "offsets": […]}. Stops if it returns
/// false.
template <class F>
void each_offset(const std::byte* message, F&& each) {
  const std::byte* frame = message + preamble_bytes;
  while (frame_type(frame) != 2) frame += frame_step(frame);
  const std::byte* at = frame + 16 + 1 + 8;
  for (std::uint64_t left = next_number(at); left > 0; --left) next_number(at);
  at += 8;
  for (std::uint64_t left = next_number(at); left > 0; --left)
    if (!each(next_number(at))) return;
}

inline std::span<const std::byte> payload_by_index(const std::byte* message, std::size_t object) {
  std::span<const std::byte> out;
  each_offset(message, [&](std::uint64_t offset) {
    if (object-- != 0) return true;
    out = payload_of_frame(message + offset);
    return false;
  });
  return out;
}

}  // namespace tgmap_bench
