// SPDX-License-Identifier: Apache-2.0
// Direct calls of the compression libraries, which encoding and decoding are compared with. One file for each library.
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

/// Stored bytes. Lifetime: they must outlive the calls.
struct compressed {
  std::span<const std::byte> bytes;
  std::size_t decompressed = 0;                 ///< bytes after decompression
  std::span<const std::uint64_t> piece_bits{};  ///< as in encoded_object
};

using bare_call = std::function<void(std::span<std::byte> out)>;

/// Returns the size of an output buffer that is large enough for every library.
constexpr std::size_t max_compressed_size(std::size_t raw) { return raw + raw / 4 + (std::size_t{1} << 20); }

/// A `bare_codec` is a compression library with the parameters that writers use.
struct bare_codec {
  std::string_view name;  ///< in the names of rows
  std::string_view library;
  bool numbers_only;  ///< accepts only doubles

  /// Compresses, and sets payload, compression and its parameters.
  void (*encode)(std::span<const std::byte> raw, sample_kind, encoded_object& out);

  /// Returns the library call that decompresses everything. The call throws if it fails.
  bare_call (*decoding)(compressed of, sample_kind);

  /// Returns the call for the pieces that contain the decompressed bytes [begin, end), which are at most 1 MiB more.
  /// Null if the library can only decompress everything.
  bare_call (*part)(compressed of, sample_kind, std::size_t begin, std::size_t end);

  /// Returns the library call of writers, for an output of `max_compressed_size` bytes.
  bare_call (*encoding)(std::span<const std::byte> raw, sample_kind);
};

/// Returns the codecs of this build.
std::span<const bare_codec* const> bare_codecs();

/// Returns the codec of this name, or null if this build lacks it.
const bare_codec* find_bare_codec(std::string_view name);

extern const bare_codec szip_codec, zstd_codec, lz4_codec, blosc2_codec, zfp_rate_codec, zfp_accuracy_codec, sz3_codec;

/// Returns the call of zstd that compresses at a level, with a context that is kept. Null in a build without zstd.
bare_call zstd_encoding(std::span<const std::byte> raw, int level);

/// Returns true if this build has CRoaring.
bool has_roaring();

/// Returns the blob of a mask of packed bits. Empty in a build without CRoaring.
octets roaring_blob(std::span<const std::byte> bits);

/// Throws unless a library call succeeded.
inline void require(bool succeeded, const char* call) {
  if (!succeeded) throw std::runtime_error(call);
}

}  // namespace tgmap_bench
