// SPDX-License-Identifier: Apache-2.0
#include <zstd.h>

#include <memory>

#include "codecs/bare_codec.hpp"
#include "support/frame_writer.hpp"

namespace tgmap_bench {

namespace {

void encode(std::span<const std::byte> raw, sample_kind, encoded_object& out) {
  out.payload.resize(ZSTD_compressBound(raw.size()));
  const std::size_t size = ZSTD_compress(out.payload.data(), out.payload.size(), raw.data(), raw.size(), 3);
  require(ZSTD_isError(size) == 0, "ZSTD_compress");
  out.payload.resize(size);
  out.compression = "zstd";
  out.parameters.emplace_back("zstd_level", cbor_number(3));
}

bare_call decoding(compressed of, sample_kind) {
  return [of](std::span<std::byte> out) {
    require(ZSTD_decompress(out.data(), out.size(), of.bytes.data(), of.bytes.size()) == out.size(), "ZSTD_decompress");
  };
}

struct closer {
  void operator()(ZSTD_CCtx* of) const { ZSTD_freeCCtx(of); }
};

/// Compresses as a stream of unknown length, as the reference implementation does.
bare_call encoding(std::span<const std::byte> raw, sample_kind) {
  return [raw, tools = std::shared_ptr<ZSTD_CCtx>(ZSTD_createCCtx(), closer())](std::span<std::byte> out) {
    ZSTD_CCtx_reset(tools.get(), ZSTD_reset_session_and_parameters);
    ZSTD_CCtx_setParameter(tools.get(), ZSTD_c_compressionLevel, 3);
    ZSTD_inBuffer from{raw.data(), raw.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    while (from.pos < from.size)
      require(ZSTD_isError(ZSTD_compressStream2(tools.get(), &to, &from, ZSTD_e_continue)) == 0, "ZSTD_e_continue");
    require(ZSTD_compressStream2(tools.get(), &to, &from, ZSTD_e_end) == 0, "ZSTD_e_end");
  };
}

}  // namespace

bare_call zstd_encoding(std::span<const std::byte> raw, int level) {
  return [raw, level, tools = std::shared_ptr<ZSTD_CCtx>(ZSTD_createCCtx(), closer())](std::span<std::byte> out) {
    const std::size_t size = ZSTD_compressCCtx(tools.get(), out.data(), out.size(), raw.data(), raw.size(), level);
    require(ZSTD_isError(size) == 0, "ZSTD_compressCCtx");
  };
}

const bare_codec zstd_codec{"zstd", "ZSTD_decompress", false, encode, decoding, nullptr, encoding};

}  // namespace tgmap_bench
