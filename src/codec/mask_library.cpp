// SPDX-License-Identifier: Apache-2.0
#include "codec/mask_library.hpp"

#include "codec/decompressor.hpp"
#include "codec/libraries.hpp"
#include "codec/roaring_bits.hpp"

namespace tgmap::codec {

compression compression_of(mask_method method) noexcept {
  switch (method) {
    case mask_method::none: return compression::none;
    case mask_method::rle: return compression::rle;
    case mask_method::roaring: return compression::roaring;
    case mask_method::lz4: return compression::lz4;
    case mask_method::zstd: return compression::zstd;
    case mask_method::blosc2: return compression::blosc2;
  }
  return compression::other;
}

namespace {

failure read_by_library(void*, mask_method method, std::span<const std::byte> blob, std::uint64_t elements,
                        std::span<std::byte> bits) noexcept {
  const decompressor* const by = find_decompressor(compression_of(method));
  if (by == nullptr) return {.code = errc::codec_absent};
  if constexpr (TGMAP_HAS_ROARING)  // without the count that it has as a compression
    if (method == mask_method::roaring) return unpack_roaring(blob, elements, bits);
  return by->run({.bytes = blob}, bits);
}

}  // namespace

const mask_library& mask_libraries() noexcept {
  static constexpr mask_library all{.read = read_by_library, .context = nullptr};
  return all;
}

}  // namespace tgmap::codec
