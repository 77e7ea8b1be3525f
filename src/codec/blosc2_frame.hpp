// SPDX-License-Identifier: Apache-2.0
// The contiguous frame of c-blosc2 and the chunks in it, read and checked by our own code, so that the library is only
// ever given one sound-looking chunk, its size and the memory it belongs in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/error.hpp>

namespace tgmap::codec {

struct blosc2_frame {
  std::span<const std::byte> chunks;   ///< where offsets count from
  std::span<const std::byte> offsets;  ///< a chunk of its own, of one little-endian std::int64_t a chunk
  std::uint64_t chunk_size = 0;        ///< decompressed; the last may be shorter
  std::size_t chunk_count = 0;
  std::size_t item_size = 0;  ///< what the writer took an element to be; at least 1
};

/// Reads the header of a frame that must hold `out` bytes. Errors: codec_failed, decoded_size.
[[nodiscard]] failure read_blosc2_frame(std::span<const std::byte>, std::uint64_t out, blosc2_frame&) noexcept;

/// The chunk that begins at `from[0]` and decompresses to `size` bytes, cut to its own length; empty where it is not
/// sound, or uses what no Tensogram writer does: codecs and filters that are plugged in, dictionaries, lazy chunks.
[[nodiscard]] std::span<const std::byte> blosc2_chunk(std::span<const std::byte> from, std::uint64_t size) noexcept;

/// What an offset says that is none: all bytes of the chunk follow from it.
enum class blosc2_special { none, zeros, nans, unknown };
[[nodiscard]] blosc2_special special_of(std::int64_t offset) noexcept;

}  // namespace tgmap::codec
