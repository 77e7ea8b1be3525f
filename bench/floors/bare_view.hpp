// SPDX-License-Identifier: Apache-2.0
// The least that reaches an object: from a known message to the payload over the same windows, without a check.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "floors/wire.hpp"

namespace tgmap_bench {

inline std::span<const std::byte> payload_of_frame(const std::byte* frame) {
  const std::uint64_t descriptor_at = load8(frame + frame_length(frame) - 20);
  return {frame + 16, descriptor_at - 16};
}

/// From frame to frame.
inline std::span<const std::byte> payload_by_walk(const std::byte* message, std::size_t object) {
  for (const std::byte* frame = message + preamble_bytes;; frame += frame_step(frame))
    if (frame_type(frame) == 9 && object-- == 0) return payload_of_frame(frame);
}

/// The unsigned number of shortest form at `at`, which moves behind it.
inline std::uint64_t next_number(const std::byte*& at) {
  const unsigned low = std::to_integer<unsigned>(*at++) & 31;
  if (low < 24) return low;
  std::uint64_t out = 0;
  for (unsigned bytes = 1u << (low - 24); bytes > 0; --bytes) out = out << 8 | std::to_integer<std::uint64_t>(*at++);
  return out;
}

/// Calls `each` with the offsets in a header index: the map {"lengths": […], "offsets": […]}. Stops when it returns
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
