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

}  // namespace tgmap::codec
