// SPDX-License-Identifier: Apache-2.0
// Reads and validates the container of SZ3 (§7.9). The reader of SZ3 trusts every size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/error.hpp>

namespace tgmap::codec {

/// The method of a payload. Tensogram's writers request interpolation or Lorenzo; SZ3 chooses the smallest result.
enum class sz3_method : std::uint8_t { interpolation, lorenzo, lossless };

struct sz3_container {
  sz3_method method = sz3_method::lossless;
  std::size_t block_size = 0;            ///< of lorenzo: elements of which each is predicted the same way; at least 1
  std::uint64_t content_size = 0;        ///< bytes of the content before zstd, in proportion to the output
  std::span<const std::byte> content{};  ///< as zstd left it
};

/// Reads a container of `out` bytes of doubles, at least one. Errors: codec_failed, decoded_size_mismatch.
[[nodiscard]] failure read_sz3_container(std::span<const std::byte>, std::uint64_t out, sz3_container&) noexcept;

}  // namespace tgmap::codec
