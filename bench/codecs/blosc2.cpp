// SPDX-License-Identifier: Apache-2.0
// blosc2: a frame with one chunk of shuffled bytes, compressed by lz4 at level 5.
#include <blosc2.h>

#include <memory>

#include "codecs/bare_codec.hpp"
#include "support/frame_writer.hpp"

namespace tgmap_bench {

namespace {

struct closer {
  void operator()(blosc2_schunk* of) const { blosc2_schunk_free(of); }
  void operator()(blosc2_context* of) const { blosc2_free_ctx(of); }
};
using schunk = std::unique_ptr<blosc2_schunk, closer>;
using context = std::unique_ptr<blosc2_context, closer>;

schunk chunks_of(std::span<const std::byte> raw, sample_kind kind, bool contiguous) {
  blosc2_init();
  blosc2_cparams how = BLOSC2_CPARAMS_DEFAULTS;
  how.typesize = static_cast<std::int32_t>(kind.size);
  how.compcode = BLOSC_LZ4;
  how.clevel = 5;
  blosc2_storage storage = BLOSC2_STORAGE_DEFAULTS;
  storage.cparams = &how;
  storage.contiguous = contiguous;
  schunk all(blosc2_schunk_new(&storage));
  require(all && blosc2_schunk_append_buffer(all.get(), raw.data(), static_cast<std::int32_t>(raw.size())) == 1,
          "blosc2_schunk_append_buffer");
  return all;
}

void encode(std::span<const std::byte> raw, sample_kind kind, encoded_object& out) {
  const schunk all = chunks_of(raw, kind, true);
  std::uint8_t* bytes = nullptr;
  bool is_ours = false;
  const std::int64_t size = blosc2_schunk_to_buffer(all.get(), &bytes, &is_ours);
  require(size > 0, "blosc2_schunk_to_buffer");
  const auto* const from = reinterpret_cast<const std::byte*>(bytes);
  out.payload.assign(from, from + size);
  if (is_ours) std::free(bytes);
  out.compression = "blosc2";
  out.parameters.insert(out.parameters.end(), {{"blosc2_codec", cbor_text("lz4")}, {"blosc2_clevel", cbor_number(5)}});
}

std::shared_ptr<blosc2_schunk> open_frame(compressed of) {
  auto* const bytes = reinterpret_cast<std::uint8_t*>(const_cast<std::byte*>(of.bytes.data()));
  std::shared_ptr<blosc2_schunk> out(
      blosc2_schunk_from_buffer(bytes, static_cast<std::int64_t>(of.bytes.size()), false), closer());
  require(out != nullptr, "blosc2_schunk_from_buffer");
  return out;
}

bare_call decoding(compressed of, sample_kind) {
  return [all = open_frame(of)](std::span<std::byte> out) {
    require(
        std::cmp_equal(blosc2_schunk_decompress_chunk(all.get(), 0, out.data(), static_cast<std::int32_t>(out.size())),
                       out.size()),
        "blosc2_schunk_decompress_chunk");
  };
}

/// Decompresses complete blocks of the only chunk.
bare_call part(compressed of, sample_kind kind, std::size_t begin, std::size_t end) {
  const auto all = open_frame(of);
  std::uint8_t* chunk = nullptr;
  bool is_ours = false;
  require(blosc2_schunk_get_chunk(all.get(), 0, &chunk, &is_ours) > 0, "blosc2_schunk_get_chunk");
  std::int32_t size = 0, stored = 0, block = 0;
  require(blosc2_cbuffer_sizes(chunk, &size, &stored, &block) == 0, "blosc2_cbuffer_sizes");
  const std::shared_ptr<std::uint8_t> kept(chunk, [is_ours](std::uint8_t* at) {
    if (is_ours) std::free(at);
  });
  const std::size_t step = static_cast<std::size_t>(block), from = begin / step * step;
  const std::size_t to = std::min((end + step - 1) / step * step, static_cast<std::size_t>(size));
  const std::shared_ptr<blosc2_context> tools(blosc2_create_dctx(BLOSC2_DPARAMS_DEFAULTS), closer());
  return [=](std::span<std::byte> out) {
    const int got = blosc2_getitem_ctx(tools.get(), kept.get(), stored, static_cast<int>(from / kind.size),
                                       static_cast<int>((to - from) / kind.size), out.data(),
                                       static_cast<std::int32_t>(out.size()));
    require(std::cmp_equal(got, to - from), "blosc2_getitem_ctx");
    static_cast<void>(all);
  };
}

bare_call encoding(std::span<const std::byte> raw, sample_kind kind) {
  return [=](std::span<std::byte>) {
    const schunk all = chunks_of(raw, kind, false);
    std::uint8_t* bytes = nullptr;
    bool is_ours = false;
    require(blosc2_schunk_to_buffer(all.get(), &bytes, &is_ours) > 0, "blosc2_schunk_to_buffer");
    if (is_ours) std::free(bytes);
  };
}

}  // namespace

const bare_codec blosc2_codec{"blosc2", "blosc2_decompress", false, encode, decoding, part, encoding};

}  // namespace tgmap_bench
