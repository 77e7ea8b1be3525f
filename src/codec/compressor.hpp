// SPDX-License-Identifier: Apache-2.0
// The common interface of the compressions when writing. decompressor.hpp has the one for reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/write/pipeline.hpp>
#include <vector>

#include "core/memory.hpp"

namespace tgmap::codec {

/// A `compression_input` is the bytes to compress and the properties that codecs need to know.
struct compression_input {
  /// After encoding and filter, at any address. For zfp and sz3: doubles in this machine's byte order, whatever the
  /// byte order that is stored in the descriptor.
  std::span<const std::byte> bytes{};
  const tgmap::pipeline* how = nullptr;  ///< never null; check_compression accepts it
  std::uint64_t elements = 0;            ///< of the tensor
  std::size_t element_bytes = 1;         ///< typesize of blosc2 (§7.7); bytes that hold a sample of szip
  unsigned sample_bits = 8;              ///< of szip (§7.4)
  bool packed = false;                   ///< by simple_packing; szip then takes the high byte of a sample first
};

/// A `compression_output` is a compressed payload. `bytes` are in the memory that was passed to the compressor.
struct compression_output {
  std::span<const std::byte> bytes{};
  std::vector<std::uint64_t> block_offsets{};  ///< of szip: the bit at which each reference interval begins
};

/// A `compressor` writes one compression.
struct compressor {
  compression which;
  /// Compresses bytes; null if the build does not have the codec. `memory` belongs to the caller, grows as needed and
  /// is kept. The same input and options give the same output with the same release of the library.
  /// Errors: codec_failed (found = error number of the library), bad_parameter, too_large, out_of_memory,
  /// bad_combination (not a whole number of samples; blosc2 and sz3: no bytes, of which they make
  /// no stream).
  /// Thread safety: any thread.
  failure (*run)(const compression_input&, core::scratch& memory, compression_output& out) noexcept;
};

/// Returns the compressor of a compression; null for `none`, `other` and codecs that are not available.
const compressor* find_compressor(compression) noexcept;

/// Checks the options of a compression, and that it can take the stages before it and the dtype.
/// Errors: those of tgmap::validate_pipeline.
failure check_compression(const tgmap::pipeline&, dtype, unsigned sample_bits) noexcept;

}  // namespace tgmap::codec
