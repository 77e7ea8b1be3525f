// SPDX-License-Identifier: Apache-2.0
// The codecs, each in a file of its own. Those whose library was left out have no definition; see decompressor.cpp.
#pragma once

#include "codec/compressor.hpp"
#include "codec/decompressor.hpp"

namespace tgmap::codec {

failure run_szip(const stored&, std::span<std::byte> out) noexcept;
failure run_zstd(const stored&, std::span<std::byte> out) noexcept;
failure run_lz4(const stored&, std::span<std::byte> out) noexcept;
failure run_blosc2(const stored&, std::span<std::byte> out) noexcept;
failure run_zfp(const stored&, std::span<std::byte> out) noexcept;
failure run_sz3(const stored&, std::span<std::byte> out) noexcept;
failure run_rle(const stored&, std::span<std::byte> out) noexcept;
failure run_roaring(const stored&, std::span<std::byte> out) noexcept;

failure run_lz4_in_steps(const stored_bytes&, const codec_parameters&, part_buffers&,
                         std::span<std::byte> out) noexcept;
failure run_zfp_in_steps(const stored_bytes&, const codec_parameters&, part_buffers&,
                         std::span<std::byte> out) noexcept;

std::unique_ptr<const partial_decompressor> open_szip_parts(const part_source&, failure&) noexcept;
std::unique_ptr<const partial_decompressor> open_blosc2_parts(const part_source&, failure&) noexcept;
std::unique_ptr<const partial_decompressor> open_zfp_parts(const part_source&, failure&) noexcept;

// Whether the library of a codec is there: most are loaded when one of these is asked first.
bool has_szip() noexcept;
bool has_zstd() noexcept;
bool has_lz4() noexcept;
bool has_blosc2() noexcept;
bool has_zfp() noexcept;
bool has_sz3() noexcept;
bool has_roaring() noexcept;

// Of libraries that are there.
std::string_view szip_version() noexcept;
std::string_view zstd_version() noexcept;
std::string_view lz4_version() noexcept;
std::string_view blosc2_version() noexcept;
std::string_view zfp_version() noexcept;
std::string_view sz3_version() noexcept;
std::string_view roaring_version() noexcept;

// The codecs on the way out, each in a file of its own. Those whose library was left out have no definition; see
// compressor.cpp.

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

/// Writes `bits` bits, most significant first, into `packed`, which holds exactly as many bytes as they take; bits
/// behind the last are zero. Errors: codec_failed, out_of_memory.
failure unpack_roaring(std::span<const std::byte> blob, std::uint64_t bits, std::span<std::byte> packed) noexcept;

}  // namespace tgmap::codec
