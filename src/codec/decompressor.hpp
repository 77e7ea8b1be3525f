// SPDX-License-Identifier: Apache-2.0
// One small interface in front of every compression library.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <tgmap/descriptor.hpp>

#include "codec/codec_parameters.hpp"
#include "codec/partial_decompressor.hpp"

namespace tgmap::codec {

/// Bytes as stored, and what it takes to read them. The bytes must not change meanwhile: libraries parse them.
struct stored {
  std::span<const std::byte> bytes;
  codec_parameters parameters{};
};

/// A compression this library knows how to undo, whether this build has what it takes or not. All text is static.
struct decompressor {
  compression which;
  std::string_view name;      ///< as in descriptors
  std::string_view library;   ///< whose code it is; empty: our own
  std::string_view option;    ///< of CMake, which brings it; empty: always there
  std::string_view used_for;  ///< in a few words

  bool (*has_library)() noexcept;  ///< null where the build does without

  /// The library's version, as it tells it at run time where it does; empty where it tells none. Only where it is
  /// available.
  std::string_view (*version)() noexcept;

  /// Fills `out` whole, or fails; then `out` holds anything. Nothing outside of it is written, and memory is asked for
  /// only in proportion to `out` and the stored bytes. Any thread.
  /// Errors: codec_failed (found = the library's error number), decoded_size, bad_parameter, bad_combination,
  /// out_of_memory.
  failure (*run)(const stored&, std::span<std::byte> out) noexcept;

  /// The same of bytes that may change meanwhile, copied in steps, each of which stays in a cache. Null where the
  /// library wants all of them at once. Errors: also those of stored_bytes::read.
  failure (*run_in_steps)(const stored_bytes&, const codec_parameters&, part_buffers&,
                          std::span<std::byte> out) noexcept = nullptr;

  /// How to decompress parts of a payload; null where no payload of this codec has any. It gives null without a
  /// failure where this one has none. Errors: bad_parameter, codec_failed, decoded_size, out_of_memory, file_shrank,
  /// io.
  std::unique_ptr<const partial_decompressor> (*open_parts)(const part_source&, failure&) noexcept = nullptr;

  /// Whether it is built in, and its library is there, which is loaded now where it was not.
  bool is_available() const noexcept { return run != nullptr && has_library(); }
};

/// Every compression this library knows how to undo, in the order of the specification.
std::span<const decompressor> decompressors() noexcept;

/// The one for it, when it is available.
const decompressor* find_decompressor(compression) noexcept;

}  // namespace tgmap::codec
