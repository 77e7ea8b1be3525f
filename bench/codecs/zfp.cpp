// SPDX-License-Identifier: Apache-2.0
// zfp without its header, with fixed rate and with fixed accuracy.
#include <zfp.h>

#include <cstring>
#include <memory>

#include "codecs/bare_codec.hpp"
#include "support/frame_writer.hpp"

namespace tgmap_bench {

namespace {

constexpr double rate = 16, tolerance = 0.01;
constexpr std::size_t block = 4;

struct closer {
  void operator()(zfp_stream* of) const { zfp_stream_close(of); }
  void operator()(zfp_field* of) const { zfp_field_free(of); }
  void operator()(bitstream* of) const { stream_close(of); }
};
template <class T>
using owner = std::unique_ptr<T, closer>;

void set_rate(zfp_stream* stream) { zfp_stream_set_rate(stream, rate, zfp_type_double, 1, 0); }
void set_accuracy(zfp_stream* stream) { zfp_stream_set_accuracy(stream, tolerance); }
using mode = void (*)(zfp_stream*);

/// Compresses or decompresses. zfp may read slightly past the end of `words`.
std::size_t run(mode set, bool writes, void* words, std::size_t size, void* values, std::size_t count) {
  const owner<zfp_stream> stream(zfp_stream_open(nullptr));
  const owner<zfp_field> field(zfp_field_1d(values, zfp_type_double, count));
  set(stream.get());
  const owner<bitstream> bits(stream_open(words, size));
  zfp_stream_set_bit_stream(stream.get(), bits.get());
  zfp_stream_rewind(stream.get());
  const std::size_t done = writes ? zfp_compress(stream.get(), field.get()) : zfp_decompress(stream.get(), field.get());
  require(done != 0, "zfp");
  return done;
}

template <mode Set>
void encode(std::span<const std::byte> raw, sample_kind, encoded_object& out) {
  octets words(raw.size() + 4096);
  words.resize(run(Set, true, words.data(), words.size(), const_cast<std::byte*>(raw.data()), raw.size() / 8));
  out.payload = std::move(words);
  out.compression = "zfp";
  if (Set == set_rate)
    out.parameters.insert(out.parameters.end(),
                          {{"zfp_mode", cbor_text("fixed_rate")}, {"zfp_rate", cbor_double(rate)}});
  else
    out.parameters.insert(out.parameters.end(),
                          {{"zfp_mode", cbor_text("fixed_accuracy")}, {"zfp_tolerance", cbor_double(tolerance)}});
}

template <mode Set>
bare_call decoding(compressed of, sample_kind) {
  return [of](std::span<std::byte> out) {
    run(Set, false, const_cast<std::byte*>(of.bytes.data()), of.bytes.size(), out.data(), out.size() / 8);
  };
}

/// Decompresses complete blocks. At this rate each block is one word.
bare_call part(compressed of, sample_kind, std::size_t begin, std::size_t end) {
  constexpr std::size_t bytes = block * 8, word = static_cast<std::size_t>(rate) * block / 8;
  const std::size_t first = begin / bytes, last = (end + bytes - 1) / bytes;
  return [of, first, count = last - first](std::span<std::byte> out) {
    run(set_rate, false, const_cast<std::byte*>(of.bytes.data()) + first * word, count * word, out.data(),
        count * block);
  };
}

template <mode Set>
bare_call encoding(std::span<const std::byte> raw, sample_kind) {
  return [raw](std::span<std::byte> out) {
    run(Set, true, out.data(), out.size(), const_cast<std::byte*>(raw.data()), raw.size() / 8);
  };
}

}  // namespace

const bare_codec zfp_rate_codec{"zfp_rate", "zfp_decompress",  true, encode<set_rate>, decoding<set_rate>,
                                part,       encoding<set_rate>};
const bare_codec zfp_accuracy_codec{"zfp_accuracy",        "zfp_decompress",       true,
                                    encode<set_accuracy>,  decoding<set_accuracy>, nullptr,
                                    encoding<set_accuracy>};

}  // namespace tgmap_bench
