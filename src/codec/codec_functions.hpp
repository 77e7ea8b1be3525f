// SPDX-License-Identifier: Apache-2.0
// The functions of each codec. Those of codecs that the build lacks are not defined; see codecs.cpp.
#pragma once

#include "codec/compressor.hpp"
#include "codec/decompressor.hpp"

namespace tgmap::codec {

failure decompress_szip(const compressed_payload&, std::span<std::byte> out) noexcept;
failure decompress_zstd(const compressed_payload&, std::span<std::byte> out) noexcept;
failure decompress_lz4(const compressed_payload&, std::span<std::byte> out) noexcept;
failure decompress_blosc2(const compressed_payload&, std::span<std::byte> out) noexcept;
failure decompress_zfp(const compressed_payload&, std::span<std::byte> out) noexcept;
failure decompress_sz3(const compressed_payload&, std::span<std::byte> out) noexcept;
failure decompress_rle(const compressed_payload&, std::span<std::byte> out) noexcept;
failure decompress_roaring(const compressed_payload&, std::span<std::byte> out) noexcept;

failure decompress_lz4_from_reader(const payload_reader&, const codec_parameters&, partial_buffers&,
                                   std::span<std::byte> out) noexcept;
failure decompress_zfp_from_reader(const payload_reader&, const codec_parameters&, partial_buffers&,
                                   std::span<std::byte> out) noexcept;

std::unique_ptr<const partial_decompressor> open_szip_partial(const partial_source&, failure&) noexcept;
std::unique_ptr<const partial_decompressor> open_blosc2_partial(const partial_source&, failure&) noexcept;
std::unique_ptr<const partial_decompressor> open_zfp_partial(const partial_source&, failure&) noexcept;

failure compress_szip(const compression_input&, core::scratch& memory, compression_output& out) noexcept;
failure compress_zstd(const compression_input&, core::scratch& memory, compression_output& out) noexcept;
failure compress_lz4(const compression_input&, core::scratch& memory, compression_output& out) noexcept;
failure compress_blosc2(const compression_input&, core::scratch& memory, compression_output& out) noexcept;
failure compress_zfp(const compression_input&, core::scratch& memory, compression_output& out) noexcept;
failure compress_sz3(const compression_input&, core::scratch& memory, compression_output& out) noexcept;
failure compress_rle(const compression_input&, core::scratch& memory, compression_output& out) noexcept;
failure compress_roaring(const compression_input&, core::scratch& memory, compression_output& out) noexcept;

/// Compresses the bits of a mask by c-blosc2 with its bit shuffle (§6.2); otherwise as compress_blosc2.
failure compress_mask_by_blosc2(std::span<const std::byte> bits, core::scratch& memory,
                                std::span<const std::byte>& blob) noexcept;

/// Reads a roaring bitmap of `bits` bits into `packed`, which holds exactly as many bytes as they take. The first bit
/// is the most significant one; padding bits become 0. Errors: codec_failed, out_of_memory.
failure read_roaring(std::span<const std::byte> blob, std::uint64_t bits, std::span<std::byte> packed) noexcept;

// Return whether the library of a codec is present. Most libraries are loaded by the first call.
bool has_szip() noexcept;
bool has_zstd() noexcept;
bool has_lz4() noexcept;
bool has_blosc2() noexcept;
bool has_zfp() noexcept;
bool has_sz3() noexcept;
bool has_roaring() noexcept;

// Return the version of a library, which must be present.
std::string_view szip_version() noexcept;
std::string_view zstd_version() noexcept;
std::string_view lz4_version() noexcept;
std::string_view blosc2_version() noexcept;
std::string_view zfp_version() noexcept;
std::string_view sz3_version() noexcept;
std::string_view roaring_version() noexcept;

}  // namespace tgmap::codec
