// SPDX-License-Identifier: Apache-2.0
// Compression libraries, bare: what writers call, and what decoding is measured against. One file each.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <string_view>

#include "support/object_maker.hpp"

namespace tgmap_bench {

/// The input of a codec: numbers of `bits` bits in `size` bytes each.
struct sample_kind {
  unsigned bits = 32;
  std::size_t size = 4;
  bool packed = false;  ///< by simple_packing
};

/// Stored bytes, which stay where they are.
struct compressed {
  std::span<const std::byte> bytes;
  std::size_t decompressed = 0;                 ///< bytes that they give
  std::span<const std::uint64_t> piece_bits{};  ///< as in encoded_object
};

using bare_call = std::function<void(std::span<std::byte> out)>;

/// Room that any of the libraries takes for what it compresses.
constexpr std::size_t room_to_compress(std::size_t raw) { return raw + raw / 4 + (std::size_t{1} << 20); }

struct bare_codec {
  std::string_view name;  ///< in the names of rows
  std::string_view library;
  bool numbers_only;  ///< takes doubles alone

  /// Compresses: sets payload, compression and its parameters.
  void (*encode)(std::span<const std::byte> raw, sample_kind, encoded_object& to);

  /// The library call that decompresses all of it. Throws when it fails.
  bare_call (*decoding)(compressed of, sample_kind);

  /// The same for the pieces that hold bytes [begin, end) of what is compressed, into memory that holds those pieces,
  /// at most 1 MiB more than was asked for; null where nothing less than all can be decompressed.
  bare_call (*part)(compressed of, sample_kind, std::size_t begin, std::size_t end);

  /// The library call that writers make, with what they ask for, into `room_to_compress` bytes.
  bare_call (*encoding)(std::span<const std::byte> raw, sample_kind);
};

/// Returns the codecs of this build.
std::span<const bare_codec* const> bare_codecs();

/// By name; null when this build has none.
const bare_codec* find_bare_codec(std::string_view name);

extern const bare_codec szip_codec, zstd_codec, lz4_codec, blosc2_codec, zfp_rate_codec, zfp_accuracy_codec, sz3_codec;

/// The blob of a mask, of bits as they are packed; empty in a build without CRoaring.
bool has_roaring();
octets roaring_blob(std::span<const std::byte> bits);

inline void require(bool right, const char* what) {
  if (!right) throw std::runtime_error(what);
}

}  // namespace tgmap_bench
