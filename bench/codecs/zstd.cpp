// SPDX-License-Identifier: Apache-2.0
#include <zstd.h>

#include "codecs/bare_codec.hpp"
#include "support/frame_writer.hpp"

namespace tgmap_bench {

namespace {

void encode(std::span<const std::byte> raw, sample_kind, encoded_object& to) {
  to.payload.resize(ZSTD_compressBound(raw.size()));
  const std::size_t size = ZSTD_compress(to.payload.data(), to.payload.size(), raw.data(), raw.size(), 3);
  require(ZSTD_isError(size) == 0, "ZSTD_compress");
  to.payload.resize(size);
  to.compression = "zstd";
  to.parameters.emplace_back("zstd_level", cbor_number(3));
}

bare_call decoding(compressed of, sample_kind) {
  return [of](std::span<std::byte> out) {
    require(ZSTD_decompress(out.data(), out.size(), of.bytes.data(), of.bytes.size()) == out.size(), "ZSTD_decompress");
  };
}

}  // namespace

const bare_codec zstd_codec{"zstd", "ZSTD_decompress", false, encode, decoding, nullptr};

}  // namespace tgmap_bench
