// SPDX-License-Identifier: Apache-2.0
// The contiguous frame of c-blosc2 and the chunks in it, read and checked by our own code, so that the library is only
// ever given one sound-looking chunk, its size and the memory it belongs in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/error.hpp>

namespace tgmap::codec {

/// Bytes of a frame that tell what it is, and those of a chunk.
inline constexpr std::size_t blosc2_frame_header_size = 87, blosc2_chunk_header_size = 32;

struct blosc2_frame {
  std::uint64_t chunks_at = 0;    ///< where offsets count from, in the frame
  std::uint64_t chunks_size = 0;  ///< and where behind them a chunk lies of one little-endian std::int64_t a chunk
  std::uint64_t chunk_size = 0;   ///< decompressed; the last may be shorter
  std::size_t chunk_count = 0;
  std::size_t item_size = 0;  ///< what the writer took an element to be; at least 1
};

/// Reads the header of a frame of `stored` bytes that must hold `out` bytes. Errors: codec_failed, decoded_size.
[[nodiscard]] failure read_blosc2_frame(std::span<const std::byte> header, std::uint64_t stored, std::uint64_t out,
                                        blosc2_frame&) noexcept;

/// What the header of a chunk says that decompresses to `size` bytes.
struct blosc2_chunk_header {
  std::uint64_t compressed = 0;  ///< bytes of the chunk; 0: it is not sound
  std::uint64_t block_size = 0;  ///< decompressed; the last may be shorter
  std::size_t item_size = 1;
  bool copied = false;     ///< its bytes follow the header as they are
  bool one_value = false;  ///< nothing follows the header: all items are the same

  std::uint64_t blocks(std::uint64_t size) const noexcept { return (size + block_size - 1) / block_size; }
};
[[nodiscard]] blosc2_chunk_header read_blosc2_chunk(std::span<const std::byte> header, std::uint64_t size) noexcept;

/// Makes the header say that the chunk is as long as these bytes, which begin with it.
void set_blosc2_chunk_size(std::span<std::byte> chunk) noexcept;

/// Whether the places of a chunk's blocks, which follow its header, all lie behind them and inside the chunk.
[[nodiscard]] bool valid_block_offsets(std::span<const std::byte> places, const blosc2_chunk_header&) noexcept;

/// Where a block begins in its chunk.
[[nodiscard]] std::uint32_t block_offset(std::span<const std::byte> places, std::uint64_t block) noexcept;

/// The chunk that begins at `from[0]` and decompresses to `size` bytes, cut to its own length; empty where it is not
/// sound, or uses what no Tensogram writer does: codecs and filters that are plugged in, dictionaries, lazy chunks.
[[nodiscard]] std::span<const std::byte> blosc2_chunk(std::span<const std::byte> from, std::uint64_t size) noexcept;

/// What an offset says that is none: all bytes of the chunk follow from it.
enum class blosc2_special { none, zeros, nans, unknown };
[[nodiscard]] blosc2_special special_chunk_value(std::int64_t offset) noexcept;

}  // namespace tgmap::codec
