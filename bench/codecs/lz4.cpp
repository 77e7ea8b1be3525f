// SPDX-License-Identifier: Apache-2.0
#include <lz4.h>

#include "codecs/bare_codec.hpp"

namespace tgmap_bench {

namespace {

/// The size comes first, 32 bits, the lowest byte first.
constexpr std::size_t prefix = 4;

void encode(std::span<const std::byte> raw, sample_kind, encoded_object& to) {
  const int most = LZ4_compressBound(static_cast<int>(raw.size()));
  to.payload.resize(prefix + static_cast<std::size_t>(most));
  for (std::size_t i = 0; i < prefix; ++i) to.payload[i] = static_cast<std::byte>(raw.size() >> 8 * i);
  const int size =
      LZ4_compress_default(reinterpret_cast<const char*>(raw.data()), reinterpret_cast<char*>(&to.payload[prefix]),
                           static_cast<int>(raw.size()), most);
  require(size > 0, "LZ4_compress_default");
  to.payload.resize(prefix + static_cast<std::size_t>(size));
  to.compression = "lz4";
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
