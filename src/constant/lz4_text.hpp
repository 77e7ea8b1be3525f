// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <tgmap/error.hpp>

#include "constant/grown_memory.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

/// What LZ4 frames, one after the other, decompress to, and which of their bytes may be read under a guard alone.
/// Memory grows as bytes come, whatever a frame says of its size. Errors, `offset` = the byte of the file: bad_lz4;
/// unsupported_lz4; too_large (more than `most`); tgmap::errc::out_of_memory, file_shrank.
failure read_lz4(std::span<const std::byte> frames, bool mapped, std::uint64_t most, grown_memory& into) noexcept;

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
