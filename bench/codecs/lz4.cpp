// SPDX-License-Identifier: Apache-2.0
#include <lz4.h>

#include "codecs/bare_codec.hpp"

namespace tgmap_bench {

namespace {

/// Size of the prefix: the decompressed size in 32 bits, little-endian.
constexpr std::size_t prefix = 4;

void encode(std::span<const std::byte> raw, sample_kind, encoded_object& out) {
  const int max_size = LZ4_compressBound(static_cast<int>(raw.size()));
  out.payload.resize(prefix + static_cast<std::size_t>(max_size));
  for (std::size_t i = 0; i < prefix; ++i) out.payload[i] = static_cast<std::byte>(raw.size() >> 8 * i);
  const int size =
      LZ4_compress_default(reinterpret_cast<const char*>(raw.data()), reinterpret_cast<char*>(&out.payload[prefix]),
                           static_cast<int>(raw.size()), max_size);
  require(size > 0, "LZ4_compress_default");
  out.payload.resize(prefix + static_cast<std::size_t>(size));
  out.compression = "lz4";
}

bare_call decoding(compressed of, sample_kind) {
  return [of](std::span<std::byte> out) {
    const int size =
        LZ4_decompress_safe(reinterpret_cast<const char*>(&of.bytes[prefix]), reinterpret_cast<char*>(out.data()),
                            static_cast<int>(of.bytes.size() - prefix), static_cast<int>(out.size()));
    require(size == static_cast<int>(out.size()), "LZ4_decompress_safe");
  };
}

bare_call encoding(std::span<const std::byte> raw, sample_kind) {
  return [=](std::span<std::byte> out) {
    require(LZ4_compress_default(reinterpret_cast<const char*>(raw.data()), reinterpret_cast<char*>(out.data()),
                                 static_cast<int>(raw.size()), static_cast<int>(out.size())) > 0,
            "LZ4_compress_default");
  };
}

}  // namespace

const bare_codec lz4_codec{"lz4", "LZ4_decompress_safe", false, encode, decoding, nullptr, encoding};

}  // namespace tgmap_bench
