// SPDX-License-Identifier: Apache-2.0
// The codecs on the way out, each in a file of its own. Those whose library was left out have no definition; see
// compressor.cpp.
#pragma once

#include "codec/compressor.hpp"

namespace tgmap::codec {

failure compress_szip(const uncompressed&, core::scratch& memory, compressed& out) noexcept;
failure compress_zstd(const uncompressed&, core::scratch& memory, compressed& out) noexcept;
failure compress_lz4(const uncompressed&, core::scratch& memory, compressed& out) noexcept;
failure compress_blosc2(const uncompressed&, core::scratch& memory, compressed& out) noexcept;
failure compress_zfp(const uncompressed&, core::scratch& memory, compressed& out) noexcept;
failure compress_sz3(const uncompressed&, core::scratch& memory, compressed& out) noexcept;
failure compress_rle(const uncompressed&, core::scratch& memory, compressed& out) noexcept;
failure compress_roaring(const uncompressed&, core::scratch& memory, compressed& out) noexcept;

/// A mask's bits by c-blosc2, which shuffles them itself (§6.2); otherwise as compress_blosc2.
failure compress_mask_by_blosc2(std::span<const std::byte> bits, core::scratch& memory,
                                std::span<const std::byte>& blob) noexcept;

}  // namespace tgmap::codec
