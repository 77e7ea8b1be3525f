// SPDX-License-Identifier: Apache-2.0
// Formats: README_CFRAME_FORMAT.rst and README_CHUNK_FORMAT.rst of c-blosc2. Frames are big-endian MessagePack with
// header fields at fixed offsets; chunks are little-endian.
#include "codec/blosc2/blosc2_frame.hpp"

#include <algorithm>
#include <array>

#include "codec/failures.hpp"

namespace tgmap::codec {

namespace {

constexpr std::array<unsigned char, 10> frame_start{0x9e, 0xa8, 'b', '2', 'f', 'r', 'a', 'm', 'e', 0};
/// Minimum chunk size of frames with several chunks (writers use 256 MiB). It limits the memory for their offsets.
constexpr std::uint64_t least_chunk_size = 1024;

unsigned byte_at(std::span<const std::byte> from, std::size_t at) noexcept {
  return std::to_integer<unsigned>(from[at]);
}

std::uint64_t big(std::span<const std::byte> from, std::size_t at, std::size_t width) noexcept {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < width; ++i) out = out << 8 | byte_at(from, at + i);
  return out;
}

std::uint32_t little(std::span<const std::byte> from, std::size_t at) noexcept {
  std::uint32_t out = 0;
  for (unsigned i = 0; i < 4; ++i) out |= std::uint32_t{byte_at(from, at + i)} << 8 * i;
  return out;
}

/// Checks byte 2: codec, copy flag, and two bits that mark the extended header.
bool valid_chunk_flags(unsigned flags) noexcept {
  const unsigned codec = flags >> 5;
  return (flags & 5) == 5 && (codec == 0 || codec == 1 || codec == 3 || codec == 4);  // blosclz, lz4, zlib, zstd
}

}  // namespace

failure read_blosc2_frame(std::span<const std::byte> bytes, std::uint64_t stored, std::uint64_t out,
                          blosc2_frame& to) noexcept {
  if (bytes.size() < blosc2_frame_header_size ||
      !std::equal(frame_start.begin(), frame_start.end(), bytes.begin(),
                  [](unsigned char a, std::byte b) { return std::byte{a} == b; }))
    return codec_failed();
  const std::uint64_t header = big(bytes, 11, 4), frame = big(bytes, 16, 8);
  const unsigned version = byte_at(bytes, 25) & 0xf, type = byte_at(bytes, 26);
  const std::uint64_t size = big(bytes, 30, 8), compressed = big(bytes, 39, 8), item = big(bytes, 48, 4);
  to.chunk_size = big(bytes, 58, 4);
  if (version < 1 || version > 3 || type != 0 || frame != stored) return codec_failed();
  if (header < blosc2_frame_header_size || header > frame || compressed > frame - header) return codec_failed();
  if (size != out) return decoded_size(out, size);
  if (size == 0) return {};
  if (item == 0 || item > INT32_MAX || to.chunk_size == 0 || to.chunk_size > INT32_MAX) return codec_failed();
  if (to.chunk_size < size && to.chunk_size < least_chunk_size) return codec_failed();
  to.item_size = static_cast<std::size_t>(item);
  to.chunk_count = static_cast<std::size_t>((size + to.chunk_size - 1) / to.chunk_size);
  to.chunks_offset = header;
  to.chunks_size = compressed;
  return {};
}

blosc2_chunk_header read_blosc2_chunk(std::span<const std::byte> from, std::uint64_t size) noexcept {
  if (from.size() < blosc2_chunk_header_size) return {};
  const unsigned version = byte_at(from, 0), flags = byte_at(from, 2), item = byte_at(from, 3);
  const std::uint32_t stated = little(from, 4), block = little(from, 8), compressed = little(from, 12);
  if (version < 4 || version > 5 || !valid_chunk_flags(flags) || item == 0) return {};
  if (stated != size || stated > INT32_MAX || block == 0 || block > stated) return {};
  if (compressed < blosc2_chunk_header_size || compressed > INT32_MAX) return {};
  for (std::size_t filter = 16; filter < 22; ++filter)
    if (byte_at(from, filter) > 2) return {};  // neither none, shuffle nor bitshuffle

  // Bits 4 to 6 are set if the chunk has one value, which is zero, NaN or a repeated item. Numbers above 3 stand for
  // uninitialised bytes, which must not be returned. The other bits are 0 in valid frames.
  const unsigned more_flags = byte_at(from, 31), special = more_flags >> 4 & 7;
  if (byte_at(from, 30) != 0 || (more_flags & ~0x70u) || special > 3) return {};
  blosc2_chunk_header out{.compressed = compressed,
                          .block_size = block,
                          .item_size = item,
                          .copied = (flags & 2) != 0 && special == 0,
                          .one_value = special != 0};
  const std::uint64_t body_size = compressed - blosc2_chunk_header_size;
  if (out.copied && body_size != size) return {};
  if (!out.copied && !out.one_value && out.blocks(size) > body_size / 4) return {};
  return out;
}

void set_blosc2_chunk_size(std::span<std::byte> chunk) noexcept {
  for (unsigned i = 0; i < 4; ++i) chunk[12 + i] = static_cast<std::byte>(chunk.size() >> 8 * i);
}

std::uint32_t block_offset(std::span<const std::byte> places, std::uint64_t block) noexcept {
  return little(places, static_cast<std::size_t>(4 * block));
}

bool valid_block_offsets(std::span<const std::byte> places, const blosc2_chunk_header& of) noexcept {
  const std::uint64_t first = blosc2_chunk_header_size + places.size();
  for (std::uint64_t i = 0; i < places.size() / 4; ++i) {
    const std::uint32_t start = block_offset(places, i);
    if (start < first || start >= of.compressed) return false;
  }
  return true;
}

std::span<const std::byte> blosc2_chunk(std::span<const std::byte> from, std::uint64_t size) noexcept {
  const auto chunk_header = read_blosc2_chunk(from, size);
  if (chunk_header.compressed == 0 || chunk_header.compressed > from.size()) return {};
  const auto chunk = from.first(static_cast<std::size_t>(chunk_header.compressed));
  if (chunk_header.copied || chunk_header.one_value) return chunk;
  const auto places = chunk.subspan(blosc2_chunk_header_size, static_cast<std::size_t>(4 * chunk_header.blocks(size)));
  return valid_block_offsets(places, chunk_header) ? chunk : std::span<const std::byte>{};
}

blosc2_special special_chunk_value(std::int64_t offset) noexcept {
  if (offset >= 0) return blosc2_special::none;
  switch (static_cast<std::uint64_t>(offset) >> 56 & 0x7f) {
    case 1: return blosc2_special::zeros;
    case 2: return blosc2_special::nans;
    default: return blosc2_special::unknown;
  }
}

}  // namespace tgmap::codec
