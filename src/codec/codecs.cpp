// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <tgmap/decode/codecs.hpp>

#include "codec/codec_functions.hpp"
#include "codec/compressor.hpp"

namespace tgmap::codec {

namespace {

bool has_rle() noexcept { return true; }  // needs no library
std::string_view no_version() noexcept { return {}; }

using has_function = bool (*)() noexcept;
using version_function = std::string_view (*)() noexcept;
using partial_function = std::unique_ptr<const partial_decompressor> (*)(const partial_source&, failure&) noexcept;
using decompress_function = failure (*)(const compressed_payload&, std::span<std::byte>) noexcept;
using reader_function = failure (*)(const payload_reader&, const codec_parameters&, partial_buffers&,
                                    std::span<std::byte>) noexcept;

// CMake defines TGMAP_HAS_… as 1 or 0. For 0 the functions of the codec are declared, but never used.
#define TGMAP_CODEC(has, name)                                                                           \
  ((has) ? has_function{has_##name} : nullptr), ((has) ? version_function{name##_version} : no_version), \
      ((has) ? decompress_function{decompress_##name} : nullptr)
#define TGMAP_FROM_READER(has, name) ((has) ? reader_function{decompress_##name##_from_reader} : nullptr)
#define TGMAP_PARTIAL(has, name) ((has) ? partial_function{open_##name##_partial} : nullptr)

constexpr std::array<decompressor, 8> decompressor_table{{
    {compression::szip, "szip", "libaec", "TGMAP_SZIP", "packed fields (CCSDS 121)", TGMAP_CODEC(TGMAP_HAS_SZIP, szip),
     nullptr, TGMAP_PARTIAL(TGMAP_HAS_SZIP, szip)},
    {compression::zstd, "zstd", "zstd", "TGMAP_ZSTD", "any bytes", TGMAP_CODEC(TGMAP_HAS_ZSTD, zstd)},
    {compression::lz4, "lz4", "lz4", "TGMAP_LZ4", "any bytes, fast", TGMAP_CODEC(TGMAP_HAS_LZ4, lz4),
     TGMAP_FROM_READER(TGMAP_HAS_LZ4, lz4)},
    {compression::blosc2, "blosc2", "c-blosc2", "TGMAP_BLOSC2", "numbers in chunks",
     TGMAP_CODEC(TGMAP_HAS_BLOSC2, blosc2), nullptr, TGMAP_PARTIAL(TGMAP_HAS_BLOSC2, blosc2)},
    {compression::zfp, "zfp", "zfp", "TGMAP_ZFP", "float64, with loss", TGMAP_CODEC(TGMAP_HAS_ZFP, zfp),
     TGMAP_FROM_READER(TGMAP_HAS_ZFP, zfp), TGMAP_PARTIAL(TGMAP_HAS_ZFP, zfp)},
    {compression::sz3, "sz3", "SZ3", "TGMAP_SZ3", "float64, with loss", TGMAP_CODEC(TGMAP_HAS_SZ3, sz3)},
    {compression::rle, "rle", "", "", "bit masks", has_rle, no_version, decompress_rle},
    {compression::roaring, "roaring", "CRoaring", "TGMAP_ROARING", "bit masks",
     TGMAP_CODEC(TGMAP_HAS_ROARING, roaring)},
}};

#undef TGMAP_CODEC
#undef TGMAP_FROM_READER
#undef TGMAP_PARTIAL

}  // namespace

std::span<const decompressor> decompressors() noexcept { return decompressor_table; }

const decompressor* find_decompressor(compression which) noexcept {
  for (const auto& each : decompressor_table)
    if (each.which == which) return each.is_available() ? &each : nullptr;
  return nullptr;
}

namespace {

using compress_function = failure (*)(const compression_input&, core::scratch&, compression_output&) noexcept;

#define TGMAP_COMPRESSOR(has, name) \
  compressor { compression::name, (has) ? compress_function{compress_##name} : nullptr }

constexpr std::array<compressor, 8> compressor_table{
    {TGMAP_COMPRESSOR(TGMAP_HAS_SZIP, szip), TGMAP_COMPRESSOR(TGMAP_HAS_ZSTD, zstd),
     TGMAP_COMPRESSOR(TGMAP_HAS_LZ4, lz4), TGMAP_COMPRESSOR(TGMAP_HAS_BLOSC2, blosc2),
     TGMAP_COMPRESSOR(TGMAP_HAS_ZFP, zfp), TGMAP_COMPRESSOR(TGMAP_HAS_SZ3, sz3), TGMAP_COMPRESSOR(1, rle),
     TGMAP_COMPRESSOR(TGMAP_HAS_ROARING, roaring)}};

#undef TGMAP_COMPRESSOR

}  // namespace

const compressor* find_compressor(compression which) noexcept {
  for (const auto& each : compressor_table)
    if (each.which == which) return find_decompressor(which) != nullptr ? &each : nullptr;  // same library
  return nullptr;
}

}  // namespace tgmap::codec

namespace tgmap {
inline namespace v0 {

namespace {

constexpr std::size_t codec_count = 8;

std::array<codec_info, codec_count> list_codecs() noexcept {
  std::array<codec_info, codec_count> out;
  std::size_t next = 0;
  for (const auto& each : codec::decompressors()) {
    const bool is_available = each.is_available();
    out[next++] = {.compression = each.which,
                   .name = each.name,
                   .library = each.library,
                   .version = is_available ? each.version() : std::string_view(),
                   .option = each.option,
                   .used_for = each.used_for,
                   .is_available = is_available};
  }
  return out;
}

}  // namespace

std::span<const codec_info> codecs() noexcept {
  static const std::array<codec_info, codec_count> list = list_codecs();
  return list;
}

const codec_info* find_codec(compression which) noexcept {
  for (const auto& each : codecs())
    if (each.compression == which) return &each;
  return nullptr;
}

}  // namespace v0
}  // namespace tgmap
