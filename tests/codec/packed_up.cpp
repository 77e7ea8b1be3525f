// SPDX-License-Identifier: Apache-2.0
#include "packed_up.hpp"

#include <support/guarded.hpp>

#include "codec/szip_flags.hpp"

namespace tgmap_test {

namespace {

packed_up compress_once(const tgmap::codec::compressor& by, tgmap::codec::uncompressed from,
                        tgmap::core::scratch& memory) {
  tgmap::codec::compressed out;
  packed_up result{by.run(from, memory, out), {}, {}};
  if (!result.why) result.data = view_of(out.bytes);
  result.block_offsets = std::move(out.block_offsets);
  return result;
}

bool same(const packed_up& a, const packed_up& b) {
  return a.why.code == b.why.code && a.data == b.data && a.block_offsets == b.block_offsets;
}

}  // namespace

packed_up compress(const tgmap::pipeline& how, std::string_view raw, const tgmap::codec::uncompressed& facts) {
  const auto* const by = tgmap::codec::find_compressor(how.compression);
  BOOST_TEST_REQUIRE(by);
  auto from = facts;
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

tgmap::codec::codec_parameters parameters_of(const tgmap::pipeline& how, const tgmap::codec::uncompressed& facts) {
  tgmap::codec::codec_parameters out;
  out.szip = {.rsi = how.szip.rsi, .block_size = how.szip.block_size, .flags = how.szip.flags};
  out.szip.bits = facts.sample_bits;
  if (facts.packed) out.szip.flags |= tgmap::codec::szip_msb;
  if (facts.sample_bits == 24) out.szip.flags |= tgmap::codec::szip_3_bytes;
  out.szip.sample_size = tgmap::codec::szip_sample_size(out.szip.bits, out.szip.flags);
  out.zfp = {.mode = static_cast<tgmap::codec::zfp_method>(how.zfp.mode),
             .rate = how.zfp.rate,
             .precision = how.zfp.precision,
             .tolerance = how.zfp.tolerance};
  return out;
}

void check_round_trip(const tgmap::pipeline& how, std::string_view raw, const tgmap::codec::uncompressed& facts) {
  const auto made = compress(how, raw, facts);
  BOOST_TEST_REQUIRE(!made.why, made.why.text());
  const auto found = decompress(how.compression, made.data, raw.size(), parameters_of(how, facts));
  BOOST_TEST_REQUIRE(!found.why, found.why.text());
  BOOST_TEST((found.data == raw));
}

std::vector<bytes> samples_of_all_kinds(std::size_t element) {
  std::vector<bytes> out;
  for (const std::size_t count : {0u, 1u, 2u, 7u, 8u, 9u, 17u, 100u, 2048u, 2049u, 20001u}) {
    const std::size_t size = count * element;
    out.insert(out.end(), {noise(size), waves(size), bytes(size, '\0'), bytes(size, '\xff')});
    // Long stretches of zeros between others, which codecs count.
    bytes gaps = waves(size);
    for (std::size_t at = 0; at < size; ++at)
      if (at / 700 % 3 != 0) gaps[at] = '\0';
    out.push_back(gaps);
  }
  return out;
}

}  // namespace tgmap_test
