// SPDX-License-Identifier: Apache-2.0
#include "codec/decompressor.hpp"

#include <array>

#include "codec/libraries.hpp"

namespace tgmap::codec {

namespace {

bool has_rle() noexcept { return true; }  // our own
std::string_view no_version() noexcept { return {}; }

using has_function = bool (*)() noexcept;
using version_function = std::string_view (*)() noexcept;
using parts_function = std::unique_ptr<const partial_decompressor> (*)(const part_source&, failure&) noexcept;
using run_function = failure (*)(const stored&, std::span<std::byte>) noexcept;
using steps_function = failure (*)(const stored_bytes&, const codec_parameters&, part_buffers&,
                                   std::span<std::byte>) noexcept;

// CMake defines TGMAP_HAS_… as 1 or 0; of the functions of what was left out, none is defined, and none is named here.
#define TGMAP_CODEC(has, name)                                                                           \
  ((has) ? has_function{has_##name} : nullptr), ((has) ? version_function{name##_version} : no_version), \
      ((has) ? run_function{run_##name} : nullptr)
#define TGMAP_STEPS(has, name) ((has) ? steps_function{run_##name##_in_steps} : nullptr)
#define TGMAP_PARTS(has, name) ((has) ? parts_function{open_##name##_parts} : nullptr)

constexpr std::array<decompressor, 8> table{{
    {compression::szip, "szip", "libaec", "TGMAP_SZIP", "packed fields (CCSDS 121)", TGMAP_CODEC(TGMAP_HAS_SZIP, szip),
     nullptr, TGMAP_PARTS(TGMAP_HAS_SZIP, szip)},
    {compression::zstd, "zstd", "zstd", "TGMAP_ZSTD", "any bytes", TGMAP_CODEC(TGMAP_HAS_ZSTD, zstd)},
    {compression::lz4, "lz4", "lz4", "TGMAP_LZ4", "any bytes, fast", TGMAP_CODEC(TGMAP_HAS_LZ4, lz4),
     TGMAP_STEPS(TGMAP_HAS_LZ4, lz4)},
    {compression::blosc2, "blosc2", "c-blosc2", "TGMAP_BLOSC2", "numbers in chunks",
     TGMAP_CODEC(TGMAP_HAS_BLOSC2, blosc2), nullptr, TGMAP_PARTS(TGMAP_HAS_BLOSC2, blosc2)},
    {compression::zfp, "zfp", "zfp", "TGMAP_ZFP", "float64, with loss", TGMAP_CODEC(TGMAP_HAS_ZFP, zfp),
     TGMAP_STEPS(TGMAP_HAS_ZFP, zfp), TGMAP_PARTS(TGMAP_HAS_ZFP, zfp)},
    {compression::sz3, "sz3", "SZ3", "TGMAP_SZ3", "float64, with loss", TGMAP_CODEC(TGMAP_HAS_SZ3, sz3)},
    {compression::rle, "rle", "", "", "bit masks", has_rle, no_version, run_rle},
    {compression::roaring, "roaring", "CRoaring", "TGMAP_ROARING", "bit masks",
     TGMAP_CODEC(TGMAP_HAS_ROARING, roaring)},
}};

#undef TGMAP_CODEC
#undef TGMAP_STEPS
#undef TGMAP_PARTS

}  // namespace

std::span<const decompressor> decompressors() noexcept { return table; }

const decompressor* find_decompressor(compression which) noexcept {
  for (const auto& each : table)
    if (each.which == which) return each.is_available() ? &each : nullptr;
  return nullptr;
}

}  // namespace tgmap::codec
