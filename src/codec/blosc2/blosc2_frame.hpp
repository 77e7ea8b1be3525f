// SPDX-License-Identifier: Apache-2.0
// Reads and validates contiguous frames of c-blosc2. The library only gets one validated chunk at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/error.hpp>

namespace tgmap::codec {

/// Sizes of the headers of frames and chunks.
inline constexpr std::size_t blosc2_frame_header_size = 87, blosc2_chunk_header_size = 32;

struct blosc2_frame {
  std::uint64_t chunks_offset = 0;  ///< offset of the first chunk in the frame; chunk offsets count from here
  std::uint64_t chunks_size = 0;    ///< size of all chunks; then the chunk offsets follow, one std::int64_t each
  std::uint64_t chunk_size = 0;     ///< decompressed bytes of a chunk; the last may be shorter
  std::size_t chunk_count = 0;
  std::size_t item_size = 0;  ///< element size that the writer used; at least 1
};

/// Reads the header of a frame of `stored` bytes that must hold `out` bytes. Errors: codec_failed, decoded_size.
[[nodiscard]] failure read_blosc2_frame(std::span<const std::byte> header, std::uint64_t stored, std::uint64_t out,
                                        blosc2_frame&) noexcept;

/// The header of a chunk.
struct blosc2_chunk_header {
  std::uint64_t compressed = 0;  ///< bytes of the chunk; 0 if it is invalid
  std::uint64_t block_size = 0;  ///< decompressed bytes of a block; the last may be shorter
  std::size_t item_size = 1;
  bool copied = false;     ///< stored uncompressed after the header
  bool one_value = false;  ///< nothing follows the header: all items are the same

  std::uint64_t blocks(std::uint64_t size) const noexcept { return (size + block_size - 1) / block_size; }
};
[[nodiscard]] blosc2_chunk_header read_blosc2_chunk(std::span<const std::byte> header, std::uint64_t size) noexcept;

/// Sets the compressed size in the header of a chunk to the size of the span.
void set_blosc2_chunk_size(std::span<std::byte> chunk) noexcept;

/// Checks that the block offsets, which follow the header, point past themselves and inside the chunk.
[[nodiscard]] bool valid_block_offsets(std::span<const std::byte> places, const blosc2_chunk_header&) noexcept;

/// Returns the offset of a block in its chunk.
[[nodiscard]] std::uint32_t block_offset(std::span<const std::byte> places, std::uint64_t block) noexcept;

/// Returns the chunk at the start of `from`, which decompresses to `size` bytes. Returns an empty span if it is invalid
/// or uses features that no Tensogram writer uses: plugin codecs and filters, dictionaries, lazy chunks.
[[nodiscard]] std::span<const std::byte> blosc2_chunk(std::span<const std::byte> from, std::uint64_t size) noexcept;

/// The value of a chunk without stored bytes, encoded in its offset.
enum class blosc2_special { none, zeros, nans, unknown };
[[nodiscard]] blosc2_special special_chunk_value(std::int64_t offset) noexcept;

}  // namespace tgmap::codec
