// SPDX-License-Identifier: Apache-2.0
// c-blosc2, given one chunk at a time.
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

/// For one thread; null without memory.
blosc2_context_owner create_blosc2_context() noexcept;

/// A chunk that was found sound. Errors: codec_failed, decoded_size, out_of_memory.
failure decompress_chunk(blosc2_context&, std::span<const std::byte> chunk, std::span<std::byte> out) noexcept;

/// The bytes of it from `begin` on, a multiple of `item_size` as their number is. Of the chunk only the header, the
/// places of blocks, and the blocks that hold them are looked at.
failure decompress_items(blosc2_context&, std::span<const std::byte> chunk, std::uint64_t begin, std::size_t item_size,
                         std::span<std::byte> out) noexcept;

/// The places of the chunks, out of the chunk that holds them, which was found sound.
failure decompress_chunk_offsets(blosc2_context&, std::span<const std::byte> chunk,
                                 std::span<std::int64_t> out) noexcept;

/// Part of a chunk of one value. Errors: codec_failed.
failure fill_special(blosc2_special, std::size_t item_size, std::span<std::byte> out) noexcept;

}  // namespace tgmap::codec
