// SPDX-License-Identifier: Apache-2.0
// Where the reference intervals of a szip stream begin (§7.4). Releases of libaec before 1.1 do not tell, and 1.1.4
// tells wrong places in some streams. The stream tells it too, for a sixth of the time that encoding takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/codec_parameters.hpp"

namespace tgmap::codec {

/// The bit at which each interval begins, as many as `out` has room for, the first one 0. Nothing is decoded: codes are
/// passed over by what tells their lengths. False where the stream ends too soon, or is none with these parameters,
/// which must be sound and without padded intervals. O(bytes of the stream).
[[nodiscard]] bool find_szip_intervals(const szip_parameters&, std::span<const std::byte> stream,
                                       std::span<std::uint64_t> out) noexcept;

/// Holds told places against a piece of the stream that begins at its bit `origin`: returns how many of `places` are
/// right if the first one is. They are ascending and within that piece. O(bytes of the piece).
[[nodiscard]] std::size_t count_szip_intervals(const szip_parameters&, std::span<const std::byte> stream,
                                               std::uint64_t origin, std::span<const std::uint64_t> places) noexcept;

/// Returns whether the last interval, of so many blocks, lies in the stream with its last bit. It begins at bit `place`
/// of it.
[[nodiscard]] bool ends_within(const szip_parameters&, std::span<const std::byte> stream, std::uint64_t place,
                               std::uint32_t blocks) noexcept;

}  // namespace tgmap::codec
