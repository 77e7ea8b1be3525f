// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <tgmap/error.hpp>

#include "constant/model/byte_buffer.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

/// Decompresses consecutive LZ4 frames. Mapped bytes are read under the mapping guard. Memory grows with the output,
/// not with the size that a frame states.
/// Errors: bad_lz4; unsupported_lz4; too_large (more than `max_bytes`); tgmap::errc::out_of_memory, file_shrank.
/// `offset` is the position in the file.
failure read_lz4(std::span<const std::byte> frames, bool is_mapped, std::uint64_t max_bytes,
                 byte_buffer& into) noexcept;

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
