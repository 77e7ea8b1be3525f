// SPDX-License-Identifier: Apache-2.0
// Fields of the format, read without a check: floors know that the archive is sound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tgmap_bench {

constexpr std::uint64_t preamble_bytes = 24, postamble_bytes = 24;

/// Reads the byte for nothing, which no compiler may leave out.
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

}  // namespace tgmap_bench
