// SPDX-License-Identifier: Apache-2.0
// Decompresses single chunks by c-blosc2.
#pragma once

#include <blosc2.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tgmap/error.hpp>

#include "codec/blosc2/blosc2_frame.hpp"

namespace tgmap::codec {

struct blosc2_closer {
  void operator()(blosc2_context* context) const noexcept { blosc2_free_ctx(context); }
};
using blosc2_context_owner = std::unique_ptr<blosc2_context, blosc2_closer>;

/// Returns a context for one thread; null without memory.
blosc2_context_owner create_blosc2_context() noexcept;

/// Decompresses a validated chunk. Errors: codec_failed, decoded_size_mismatch, out_of_memory.
failure decompress_chunk(blosc2_context&, std::span<const std::byte> chunk, std::span<std::byte> out) noexcept;

/// Decompresses bytes of a chunk from `begin` on; both are multiples of `item_size`. Reads only the header, the block
/// offsets and the blocks that contain them.
failure decompress_items(blosc2_context&, std::span<const std::byte> chunk, std::uint64_t begin, std::size_t item_size,
                         std::span<std::byte> out) noexcept;

/// Decompresses the chunk offsets from their validated chunk.
failure decompress_chunk_offsets(blosc2_context&, std::span<const std::byte> chunk,
                                 std::span<std::int64_t> out) noexcept;

/// Fills a part of a chunk that has one value. Errors: codec_failed.
failure fill_special(blosc2_special, std::size_t item_size, std::span<std::byte> out) noexcept;

}  // namespace tgmap::codec
