// SPDX-License-Identifier: Apache-2.0
// Compiled with TGMAP_HAS_… as 0 or 1, like the registry of the library.
#include "bare_codecs.hpp"

#include <memory>
#include <stdexcept>
#include <vector>

#if TGMAP_HAS_SZIP
#include <libaec.h>
#endif
#if TGMAP_HAS_ZSTD
#include <zstd.h>
#endif
#if TGMAP_HAS_LZ4
#include <lz4.h>
#endif
#if TGMAP_HAS_ZFP
#include <zfp.h>
#endif
#if TGMAP_HAS_BLOSC2
#include <blosc2.h>
#include <cstdlib>
#endif

namespace tgmap_test {

namespace {

using bytes_in = std::span<const std::byte>;
using buffer = std::shared_ptr<std::vector<std::byte>>;

[[maybe_unused]] buffer make_buffer(std::size_t size) { return std::make_shared<std::vector<std::byte>>(size); }

[[maybe_unused]] void require(bool succeeded, const char* call) {
  if (!succeeded) throw std::runtime_error(call);
}

#if TGMAP_HAS_SZIP
bare_codec bare_szip(const tgmap::pipeline& how, bytes_in raw, bytes_in stored) {
  const auto call = [with = how.szip](bytes_in from, buffer to, auto* init, auto* run, auto* end) {
    aec_stream stream{};
    stream.bits_per_sample = 32;
    stream.block_size = with.block_size;
    stream.rsi = with.rsi;
    stream.flags = with.flags;
    stream.next_in = reinterpret_cast<const unsigned char*>(from.data());
    stream.avail_in = from.size();
    stream.next_out = reinterpret_cast<unsigned char*>(to->data());
    stream.avail_out = to->size();
    require(init(&stream) == AEC_OK && run(&stream, AEC_FLUSH) == AEC_OK, "libaec");
    end(&stream);
  };
  const buffer packed = make_buffer(2 * raw.size() + 1024), back = make_buffer(raw.size());
  return {[=] { call(raw, packed, aec_encode_init, aec_encode, aec_encode_end); },
          [=] { call(stored, back, aec_decode_init, aec_decode, aec_decode_end); }};
}
#endif

#if TGMAP_HAS_ZSTD
/// With contexts that are kept, as zstd.h recommends.
bare_codec bare_zstd(const tgmap::pipeline& how, bytes_in raw, bytes_in stored) {
  const std::shared_ptr<ZSTD_CCtx> writer(ZSTD_createCCtx(), ZSTD_freeCCtx);
  const std::shared_ptr<ZSTD_DCtx> reader(ZSTD_createDCtx(), ZSTD_freeDCtx);
  const buffer packed = make_buffer(ZSTD_compressBound(raw.size())), back = make_buffer(raw.size());
  return {[=, level = how.zstd_level] {
            const std::size_t size =
                ZSTD_compressCCtx(writer.get(), packed->data(), packed->size(), raw.data(), raw.size(), level);
            require(ZSTD_isError(size) == 0, "ZSTD_compressCCtx");
          },
          [=] {
            const std::size_t size =
                ZSTD_decompressDCtx(reader.get(), back->data(), back->size(), stored.data(), stored.size());
            require(size == back->size(), "ZSTD_decompressDCtx");
          }};
}
#endif

#if TGMAP_HAS_LZ4
bare_codec bare_lz4(bytes_in raw, bytes_in stored) {
  const int size = static_cast<int>(raw.size());
  const buffer packed = make_buffer(static_cast<std::size_t>(LZ4_compressBound(size))), back = make_buffer(raw.size());
  return {[=] {
            const int written =
                LZ4_compress_default(reinterpret_cast<const char*>(raw.data()), reinterpret_cast<char*>(packed->data()),
                                     size, static_cast<int>(packed->size()));
            require(written > 0, "LZ4_compress_default");
          },
          [=] {
            constexpr std::size_t prefix = 4;
            const int read = LZ4_decompress_safe(reinterpret_cast<const char*>(stored.data()) + prefix,
                                                 reinterpret_cast<char*>(back->data()),
                                                 static_cast<int>(stored.size() - prefix), size);
            require(read == size, "LZ4_decompress_safe");
          }};
}
#endif

#if TGMAP_HAS_ZFP
bare_codec bare_zfp(const tgmap::pipeline& how, bytes_in raw, bytes_in stored) {
  const auto call = [with = how.zfp](auto* run, const std::byte* words, std::size_t size, const std::byte* values,
                                     std::size_t count) {
    // zfp only reads one of them, although neither is const.
    zfp_field* const field = zfp_field_1d(const_cast<std::byte*>(values), zfp_type_double, count);
    zfp_stream* const stream = zfp_stream_open(nullptr);
    switch (with.mode) {
      case tgmap::zfp_mode::fixed_rate: zfp_stream_set_rate(stream, with.rate, zfp_type_double, 1, 0); break;
      case tgmap::zfp_mode::fixed_precision: zfp_stream_set_precision(stream, with.precision); break;
      case tgmap::zfp_mode::fixed_accuracy: zfp_stream_set_accuracy(stream, with.tolerance); break;
    }
    bitstream* const bits = stream_open(const_cast<std::byte*>(words), size);
    zfp_stream_set_bit_stream(stream, bits);
    zfp_stream_rewind(stream);
    require(run(stream, field) != 0, "zfp");
    zfp_field_free(field);
    zfp_stream_close(stream);
    stream_close(bits);
  };
  constexpr std::size_t beyond = 4096;  // zfp reads words past the end
  const buffer packed = make_buffer(2 * raw.size() + beyond), back = make_buffer(raw.size());
  const buffer padded = make_buffer(stored.size() + beyond);
  std::copy(stored.begin(), stored.end(), padded->begin());
  const std::size_t count = raw.size() / sizeof(double);
  return {[=] { call(zfp_compress, packed->data(), packed->size(), raw.data(), count); },
          [=] { call(zfp_decompress, padded->data(), padded->size(), back->data(), count); }};
}
#endif

#if TGMAP_HAS_BLOSC2
bare_codec bare_blosc2(const tgmap::pipeline& how, bytes_in raw, bytes_in stored) {
  constexpr std::uint8_t codes[] = {BLOSC_BLOSCLZ, BLOSC_LZ4, BLOSC_LZ4HC, BLOSC_ZLIB, BLOSC_ZSTD};
  const buffer back = make_buffer(raw.size());
  return {[=, with = how.blosc2] {
            blosc2_cparams parameters = BLOSC2_CPARAMS_DEFAULTS;
            parameters.compcode = codes[static_cast<std::size_t>(with.codec)];
            parameters.clevel = static_cast<std::uint8_t>(with.level);
            parameters.typesize = 4;
            blosc2_storage storage = BLOSC2_STORAGE_DEFAULTS;
            storage.cparams = &parameters;
            blosc2_schunk* const chunks = blosc2_schunk_new(&storage);
            require(blosc2_schunk_append_buffer(chunks, raw.data(), static_cast<std::int32_t>(raw.size())) == 1,
                    "blosc2_schunk_append_buffer");
            std::uint8_t* out = nullptr;
            bool is_ours = false;
            require(blosc2_schunk_to_buffer(chunks, &out, &is_ours) > 0, "blosc2_schunk_to_buffer");
            if (is_ours) std::free(out);
            blosc2_schunk_free(chunks);
          },
          [=] {
            auto* const from = reinterpret_cast<std::uint8_t*>(const_cast<std::byte*>(stored.data()));
            blosc2_schunk* const chunks =
                blosc2_schunk_from_buffer(from, static_cast<std::int64_t>(stored.size()), false);
            const auto size = static_cast<std::int32_t>(back->size());
            require(blosc2_schunk_decompress_chunk(chunks, 0, back->data(), size) == size,
                    "blosc2_schunk_decompress_chunk");
            blosc2_schunk_free(chunks);
          }};
}
#endif

}  // namespace

bare_codec bare_codec_of(const tgmap::pipeline& how, [[maybe_unused]] bytes_in raw, [[maybe_unused]] bytes_in stored) {
  switch (how.compression) {
#if TGMAP_HAS_SZIP
    case tgmap::compression::szip: return bare_szip(how, raw, stored);
#endif
#if TGMAP_HAS_ZSTD
    case tgmap::compression::zstd: return bare_zstd(how, raw, stored);
#endif
#if TGMAP_HAS_LZ4
    case tgmap::compression::lz4: return bare_lz4(raw, stored);
#endif
#if TGMAP_HAS_ZFP
    case tgmap::compression::zfp: return bare_zfp(how, raw, stored);
#endif
#if TGMAP_HAS_BLOSC2
    case tgmap::compression::blosc2: return bare_blosc2(how, raw, stored);
#endif
    default: return {};
  }
}

}  // namespace tgmap_test
