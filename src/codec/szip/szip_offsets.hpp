// SPDX-License-Identifier: Apache-2.0
// Offsets of the reference intervals of a szip stream (§7.4), found by scanning the stream. libaec before 1.1 does not
// report them, and 1.1.4 reports wrong offsets for some streams. A scan takes a sixth of the time of encoding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/codec_parameters.hpp"

namespace tgmap::codec {

/// Finds the bit at which each interval starts, for as many intervals as `out` has entries; the first one is 0. Skips
/// codes by their lengths and decodes nothing. The parameters must be valid and without padded intervals. Returns false
/// if the stream is too short or invalid. Complexity: O(bytes of the stream).
[[nodiscard]] bool find_szip_offsets(const szip_parameters&, std::span<const std::byte> stream,
                                     std::span<std::uint64_t> out) noexcept;

/// Compares stored offsets with a part of the stream, which starts at bit `origin` of the whole. Returns the number of
/// `places` that are right, given that the first one is. They are ascending and inside that part.
/// Complexity: O(bytes of the part).
[[nodiscard]] std::size_t count_valid_szip_offsets(const szip_parameters&, std::span<const std::byte> stream,
                                                   std::uint64_t origin,
                                                   std::span<const std::uint64_t> places) noexcept;

/// Checks that the last interval, of `blocks` blocks from bit `place` on, ends inside the stream.
[[nodiscard]] bool last_interval_fits(const szip_parameters&, std::span<const std::byte> stream, std::uint64_t place,
                                      std::uint32_t blocks) noexcept;

}  // namespace tgmap::codec
