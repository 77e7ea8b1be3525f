// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <codec/round_trip.hpp>
#include <cstring>
#include <random>
#include <support/guarded.hpp>

#include "codec/szip/szip.hpp"

namespace tgmap_test {

namespace {

constexpr std::size_t behind = 64;
constexpr char untouched = '\x5a';

const tgmap::codec::decompressor& codec_for(tgmap::compression which) {
  const auto* const codec = tgmap::codec::find_decompressor(which);
  BOOST_TEST_REQUIRE(codec);
  return *codec;
}

/// Checks that bytes that may change have the same result as bytes that cannot.
void check_steps(const tgmap::codec::decompressor& codec, std::span<const std::byte> stored, const outcome& whole,
                 std::size_t size, const tgmap::codec::codec_parameters& parameters) {
  if (codec.decompress_from_reader == nullptr) return;
  tgmap::codec::partial_buffers tools;
  bytes out(size + 2 * behind, untouched);
  const auto to = std::as_writable_bytes(std::span(out)).subspan(behind, size);
  const auto why = codec.decompress_from_reader(tgmap::codec::memory_payload_reader(stored), parameters, tools, to);
  BOOST_TEST_REQUIRE((why.code == whole.why.code));
  BOOST_TEST_REQUIRE((out.substr(0, behind) == bytes(behind, untouched)));
  BOOST_TEST_REQUIRE((out.substr(behind + size) == bytes(behind, untouched)));
  if (!why) BOOST_TEST_REQUIRE((out.substr(behind, size) == whole.data));
}

/// A source whose bytes are different each time they are read.
class changing_bytes final : public tgmap::codec::payload_reader {
 public:
  explicit changing_bytes(std::string_view bytes) : bytes_(bytes) {}
  std::uint64_t size() const noexcept override { return bytes_.size(); }
  tgmap::failure read(std::uint64_t at, std::span<std::byte> out) const noexcept override {
    BOOST_REQUIRE(at <= bytes_.size() && out.size() <= bytes_.size() - at);
    if (!out.empty()) std::memcpy(out.data(), bytes_.data() + at, out.size());
    for (std::size_t i = random_() % 4096; i < out.size(); i += random_() % 65536)
      out[i] = static_cast<std::byte>(random_());
    return {};
  }

 private:
  std::string_view bytes_;
  mutable std::mt19937 random_{1};
};

}  // namespace

outcome decompress(tgmap::compression which, std::string_view stored, std::size_t size,
                   const tgmap::codec::codec_parameters& parameters) {
  guarded_bytes held(stored.size());
  bytes out(size + 2 * behind, untouched);
  const auto to = std::as_writable_bytes(std::span(out)).subspan(behind, size);
  const auto from = held.hold(stored);
  outcome result{codec_for(which).run({from, parameters}, to), {}};
  BOOST_TEST_REQUIRE((out.substr(0, behind) == bytes(behind, untouched)));
  BOOST_TEST_REQUIRE((out.substr(behind + size) == bytes(behind, untouched)));
  if (!result.why) result.data = out.substr(behind, size);
  check_steps(codec_for(which), from, result, size, parameters);
  return result;
}

void check_sound(tgmap::compression which, std::string_view stored, std::string_view expected,
                 const tgmap::codec::codec_parameters& parameters) {
  const auto exact = decompress(which, stored, expected.size(), parameters);
  BOOST_TEST(exact.why.text() == tgmap::failure{}.text());
  BOOST_TEST((exact.data == expected));
  // A szip stream ends with a complete block of at most 64 samples, and does not state how many of them are padding.
  const std::size_t padding = which == tgmap::compression::szip ? 64 : 0;
  for (const std::size_t more : {8, 64, 4096}) {
    if (more < padding) continue;
    const auto longer = decompress(which, stored, expected.size() + more, parameters);
    BOOST_TEST((longer.why.code == tgmap::errc::decoded_size_mismatch));
    BOOST_TEST(longer.why.expected == expected.size() + more);
    BOOST_TEST(longer.why.found < longer.why.expected);
  }
}

void check_hostile(tgmap::compression which, std::string_view stored, std::string_view expected,
                   const tgmap::codec::codec_parameters& parameters) {
  for (std::size_t size = 0; size < stored.size(); ++size) {
    const auto cut = decompress(which, stored.substr(0, size), expected.size(), parameters);
    if (!cut.why) BOOST_TEST_REQUIRE((cut.data == expected));
  }
  bytes damaged(stored);
  for (std::size_t at = 0; at < stored.size(); ++at) {
    for (const int value : {stored[at] ^ 1, stored[at] ^ 0x80, stored[at] ^ 0x10, 0, 0xff, 0x7f}) {
      damaged[at] = static_cast<char>(value);
      decompress(which, damaged, expected.size(), parameters);
    }
    damaged[at] = stored[at];
  }
  check_damaged(which, stored, expected.size(), parameters, 2000);
  std::mt19937 random(static_cast<unsigned>(stored.size()));
  for (int round = 0; round < 200; ++round)
    decompress(which, noise(random() % 400, random()), expected.size(), parameters);
}

void check_damaged(tgmap::compression which, std::string_view stored, std::size_t size,
                   const tgmap::codec::codec_parameters& parameters, int rounds) {
  if (stored.empty()) return;
  std::mt19937 random(static_cast<unsigned>(stored.size()));
  for (int round = 0; round < rounds; ++round) {
    bytes damaged(stored);
    for (unsigned changes = 1 + random() % 8; changes > 0; --changes)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    decompress(which, damaged, size, parameters);
  }
}

bytes waves(std::size_t size) {
  bytes out(size, '\0');
  for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<char>(i % 97 < 50 ? i % 97 : 100 - i % 97);
  return out;
}

void check_changing(tgmap::compression which, std::string_view stored, std::size_t size,
                    const tgmap::codec::codec_parameters& parameters) {
  bytes out(size + 2 * behind, untouched);
  const auto to = std::as_writable_bytes(std::span(out)).subspan(behind, size);
  tgmap::codec::partial_buffers tools;
  const changing_bytes from(stored);
  for (int round = 0; round < 50; ++round)
    static_cast<void>(codec_for(which).decompress_from_reader(from, parameters, tools, to));
  BOOST_TEST((out.substr(0, behind) == bytes(behind, untouched)));
  BOOST_TEST((out.substr(behind + size) == bytes(behind, untouched)));
}

namespace {

compressed_data compress_once(const tgmap::codec::compressor& compressor, tgmap::codec::compression_input input,
                              tgmap::core::scratch& memory) {
  tgmap::codec::compression_output out;
  compressed_data result{compressor.run(input, memory, out), {}, {}};
  if (!result.why) result.data = view_of(out.bytes);
  result.block_offsets = std::move(out.block_offsets);
  return result;
}

bool same(const compressed_data& a, const compressed_data& b) {
  return a.why.code == b.why.code && a.data == b.data && a.block_offsets == b.block_offsets;
}

}  // namespace

compressed_data compress(const tgmap::pipeline& how, std::string_view raw,
                         const tgmap::codec::compression_input& codec_input) {
  const auto* const by = tgmap::codec::find_compressor(how.compression);
  BOOST_TEST_REQUIRE(by);
  auto from = codec_input;
  from.how = &how;
  tgmap::core::scratch memory, other;
  guarded_bytes held(raw.size());
  from.bytes = held.hold(raw);
  const auto first = compress_once(*by, from, memory), again = compress_once(*by, from, memory);
  const bytes moved = "x" + bytes(raw);
  from.bytes = span_of(moved).subspan(1);
  BOOST_TEST_REQUIRE(same(first, again));
  BOOST_TEST_REQUIRE(same(first, compress_once(*by, from, other)));
  return first;
}

tgmap::codec::codec_parameters parameters_of(const tgmap::pipeline& how,
                                             const tgmap::codec::compression_input& codec_input) {
  tgmap::codec::codec_parameters out;
  out.szip = {.rsi = how.szip.rsi, .block_size = how.szip.block_size, .flags = how.szip.flags};
  out.szip.bits = codec_input.sample_bits;
  if (codec_input.packed) out.szip.flags |= tgmap::codec::szip_msb;
  if (codec_input.sample_bits == 24) out.szip.flags |= tgmap::codec::szip_3_bytes;
  out.szip.sample_size = tgmap::codec::szip_sample_size(out.szip.bits, out.szip.flags);
  out.zfp = {.mode = static_cast<tgmap::codec::zfp_method>(how.zfp.mode),
             .rate = how.zfp.rate,
             .precision = how.zfp.precision,
             .tolerance = how.zfp.tolerance};
  return out;
}

void check_round_trip(const tgmap::pipeline& how, std::string_view raw,
                      const tgmap::codec::compression_input& codec_input) {
  const auto compressed = compress(how, raw, codec_input);
  BOOST_TEST_REQUIRE(!compressed.why, compressed.why.text());
  const auto found = decompress(how.compression, compressed.data, raw.size(), parameters_of(how, codec_input));
  BOOST_TEST_REQUIRE(!found.why, found.why.text());
  BOOST_TEST((found.data == raw));
}

std::vector<bytes> samples_of_all_kinds(std::size_t element) {
  std::vector<bytes> out;
  for (const std::size_t count : {0u, 1u, 2u, 7u, 8u, 9u, 17u, 100u, 2048u, 2049u, 20001u}) {
    const std::size_t size = count * element;
    out.insert(out.end(), {noise(size), waves(size), bytes(size, '\0'), bytes(size, '\xff')});
    // Long runs of zeros, which codecs count.
    bytes gaps = waves(size);
    for (std::size_t at = 0; at < size; ++at)
      if (at / 700 % 3 != 0) gaps[at] = '\0';
    out.push_back(gaps);
  }
  return out;
}

tgmap::codec::compression_input compression_input_of(const tgmap::descriptor& descriptor, const tgmap::pipeline& how,
                                                     std::span<const std::byte> from) {
  const bool packed = descriptor.encoding == tgmap::encoding::simple_packing,
             bitmask = descriptor.dtype == tgmap::dtype::bitmask;
  tgmap::codec::compression_input out{
      .bytes = from, .how = &how, .elements = descriptor.element_count, .packed = packed};
  const unsigned bits = packed    ? how.packing.bits
                        : bitmask ? 0
                                  : static_cast<unsigned>(8 * element_size(descriptor.dtype));
  const bool shuffled = descriptor.filter == tgmap::filter::shuffle && !packed;
  out.element_bytes = shuffled ? 1 : std::max<std::size_t>((bits + 7) / 8, 1);
  out.sample_bits = shuffled ? 8 : bits;
  return out;
}

}  // namespace tgmap_test
