// SPDX-License-Identifier: Apache-2.0
// What SZ3 puts around a payload (§7.9), read and checked by our own code: SZ3's own believes every size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/error.hpp>

namespace tgmap::codec {

/// How a payload was made. Tensogram's writers ask for interpolation or Lorenzo, and SZ3 takes what comes out smallest.
enum class sz3_method : std::uint8_t { interpolation, lorenzo, lossless };

struct sz3_container {
  sz3_method method = sz3_method::lossless;
  std::size_t block_size = 0;            ///< of lorenzo: elements of which each is predicted the same way; at least 1
  std::uint64_t content_size = 0;        ///< bytes of the content before zstd, in proportion to the output
  std::span<const std::byte> content{};  ///< as zstd left it
};

/// Reads a container that must hold `out` bytes of doubles, which are not 0. Errors: codec_failed, decoded_size.
[[nodiscard]] failure read_sz3_container(std::span<const std::byte>, std::uint64_t out, sz3_container&) noexcept;

}  // namespace tgmap::codec
