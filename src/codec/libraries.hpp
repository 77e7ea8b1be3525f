// SPDX-License-Identifier: Apache-2.0
// The codecs, each in a file of its own. Those whose library was left out have no definition; see decompressor.cpp.
#pragma once

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

}  // namespace tgmap::codec
