// SPDX-License-Identifier: Apache-2.0
#include "codec/compressor.hpp"

#include <array>

#include "codec/compressions.hpp"
#include "codec/decompressor.hpp"

namespace tgmap::codec {

namespace {

using compress_function = failure (*)(const uncompressed&, core::scratch&, compressed&) noexcept;

// As in decompressor.cpp: of what was left out no function is defined, and none is named here.
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
    if (each.which == which) return find_decompressor(which) != nullptr ? &each : nullptr;  // by the same library
  return nullptr;
}

}  // namespace tgmap::codec
