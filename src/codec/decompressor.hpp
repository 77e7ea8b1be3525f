// SPDX-License-Identifier: Apache-2.0
// The common interface of the compressions when reading.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <tgmap/descriptor.hpp>

#include "codec/codec_parameters.hpp"
#include "codec/partial_decompressor.hpp"

namespace tgmap::codec {

/// A `compressed_payload` is stored bytes and the parameters to read them. The bytes must not change during
/// decompression because libraries parse them.
struct compressed_payload {
  std::span<const std::byte> bytes;
  codec_parameters parameters{};
};

/// A `decompressor` reads one compression, which this build may lack. All text is static.
struct decompressor {
  compression which;
  std::string_view name;      ///< as in descriptors
  std::string_view library;   ///< empty if no library is needed
  std::string_view option;    ///< CMake option that adds it; empty if it is always built
  std::string_view used_for;  ///< in a few words

  bool (*has_library)() noexcept;  ///< null if the build does not have the codec

  /// Returns the version of the library, at run time if the library provides it; else empty. Requires is_available().
  std::string_view (*version)() noexcept;

  /// Fills all of `out`. After a failure `out` may hold anything. Writes nothing outside of `out`, and allocates memory
  /// only in proportion to `out` and the stored bytes.
  /// Errors: codec_failed (found = error number of the library), decoded_size_mismatch, bad_parameter,
  /// bad_combination, out_of_memory.
  /// Thread safety: any thread.
  failure (*run)(const compressed_payload&, std::span<std::byte> out) noexcept;

  /// Does the same for bytes that may change meanwhile: copies them in steps that fit into the cache. Null if the
  /// library needs all bytes at once. Errors: also those of payload_reader::read.
  failure (*decompress_from_reader)(const payload_reader&, const codec_parameters&, partial_buffers&,
                                    std::span<std::byte> out) noexcept = nullptr;

  /// Opens a payload to decompress parts of it; null if the codec has no parts. Returns null without a failure if this
  /// payload has none.
  /// Errors: bad_parameter, codec_failed, decoded_size_mismatch, out_of_memory, file_shrank, io.
  std::unique_ptr<const partial_decompressor> (*open_partial)(const partial_source&, failure&) noexcept = nullptr;

  /// Checks that the codec is built and its library is present. Loads the library if necessary.
  bool is_available() const noexcept { return run != nullptr && has_library(); }
};

/// Returns the decompressors of all compressions, in the order of the specification.
std::span<const decompressor> decompressors() noexcept;

/// Returns the decompressor of a compression, or null if it is not available.
const decompressor* find_decompressor(compression) noexcept;

}  // namespace tgmap::codec
