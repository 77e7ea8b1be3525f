// SPDX-License-Identifier: Apache-2.0
// One small interface in front of every compression library, the way out: see decompressor.hpp for the way in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/write/pipeline.hpp>
#include <vector>

#include "core/memory.hpp"

namespace tgmap::codec {

/// Bytes to be compressed, and what codecs want to know of them.
struct uncompressed {
  /// Behind encoding and filter, at any address. Of zfp and sz3 doubles in this machine's byte order, whatever the
  /// order in which they are said to be stored.
  std::span<const std::byte> bytes{};
  const tgmap::pipeline* how = nullptr;  ///< never null; found sound by check_compression
  std::uint64_t elements = 0;            ///< of the tensor
  std::size_t element_bytes = 1;         ///< what repeats: blosc2's typesize (§7.7), the container of szip's samples
  unsigned sample_bits = 8;              ///< of szip (§7.4)
  bool packed = false;                   ///< by simple_packing: szip then takes the samples' high byte first
};

/// What came of it. `bytes` lie in the memory that was lent.
struct compressed {
  std::span<const std::byte> bytes{};
  std::vector<std::uint64_t> block_offsets{};  ///< of szip: the bit at which each reference interval begins
};

/// A compression this library knows how to do, whether this build has what it takes or not.
struct compressor {
  compression which;
  /// Null where the build does without. Any thread; `memory` is the caller's, grown as needed and kept. The same bytes
  /// the same way give the same bytes, with the same release of the library.
  /// Errors: codec_failed (found = the library's error number), bad_parameter, too_large, out_of_memory,
  /// bad_combination (bytes that are no whole number of samples; no bytes at all for blosc2 and sz3, which have no
  /// stream for that).
  failure (*run)(const uncompressed&, core::scratch& memory, compressed& out) noexcept;
};

/// The one for it, when it is available; null for `none`, `other` and what is not.
const compressor* find_compressor(compression) noexcept;

/// Whether its options make sense, and what of the pipeline's stages and the dtype it can take. Errors: those of
/// tgmap::check.
failure check_compression(const tgmap::pipeline&, dtype, unsigned sample_bits) noexcept;

}  // namespace tgmap::codec
