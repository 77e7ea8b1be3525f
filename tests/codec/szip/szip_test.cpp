// SPDX-License-Identifier: Apache-2.0
#include <libaec.h>

#include <vector>

#include <codec/round_trip.hpp>
#include "codec/szip/szip.hpp"
#include "codec/szip/szip_offsets.hpp"

using namespace tgmap_test;
using namespace tgmap::codec;

BOOST_AUTO_TEST_SUITE(szip_test)

namespace {

constexpr auto szip = tgmap::compression::szip;

codec_parameters with(std::uint64_t bits, std::uint32_t flags = AEC_DATA_PREPROCESS, std::uint32_t block_size = 16,
                      std::uint32_t rsi = 4) {
  return {.szip = {.rsi = rsi,
                   .block_size = block_size,
                   .flags = flags,
                   .bits = bits,
                   .sample_size = szip_sample_size(bits, flags)}};
}

bytes compressed(const bytes& data, const codec_parameters& parameters) {
  bytes out(data.size() * 2 + 1000, '\0');
  aec_stream stream{};
  stream.bits_per_sample = static_cast<unsigned>(parameters.szip.bits);
  stream.block_size = parameters.szip.block_size;
  stream.rsi = parameters.szip.rsi;
  stream.flags = parameters.szip.flags;
  stream.next_in = reinterpret_cast<const unsigned char*>(data.data());
  stream.avail_in = data.size();
  stream.next_out = reinterpret_cast<unsigned char*>(out.data());
  stream.avail_out = out.size();
  BOOST_TEST_REQUIRE(aec_buffer_encode(&stream) == AEC_OK);
  out.resize(stream.total_out);
  return out;
}

/// Returns samples of a number of bits, each in a number of bytes.
bytes samples(std::size_t count, unsigned bits, std::size_t container, bool big) {
  bytes out;
  for (std::size_t i = 0; i < count; ++i) {
    bytes one = big_endian((i * i * 2654435761u >> 3) & ((std::uint64_t{1} << bits) - 1), 8).substr(8 - container);
    out += big ? one : bytes(one.rbegin(), one.rend());
  }
  return out;
}

tgmap::errc refused(const codec_parameters& parameters, std::size_t size) {
  const auto why = decompress(szip, "\x01\x02\x03\x04\x05\x06\x07\x08", size, parameters).why;
  BOOST_TEST_REQUIRE(static_cast<bool>(why));
  return static_cast<tgmap::errc>(why.code.value());
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_number_of_bits_in_both_orders) {
  for (unsigned bits = 1; bits <= 32; ++bits)
    for (const unsigned order : {0u, unsigned{AEC_DATA_MSB}})
      for (const unsigned three : {0u, unsigned{AEC_DATA_3BYTE}})
        for (const unsigned preprocess : {0u, unsigned{AEC_DATA_PREPROCESS}}) {
          const auto parameters = with(bits, order | three | preprocess);
          const auto data = samples(333, bits, parameters.szip.sample_size, order != 0);
          const auto exact = decompress(szip, compressed(data, parameters), data.size(), parameters);
          BOOST_TEST(!exact.why, bits << " bits, flags " << parameters.szip.flags);
          BOOST_TEST((exact.data == data), bits << " bits, flags " << parameters.szip.flags);
        }
}

BOOST_AUTO_TEST_CASE(every_block_size) {
  for (const std::uint32_t block : {8, 16, 32, 64})
    for (const std::uint32_t rsi : {1, 7, 128, 4096}) {
      const auto parameters = with(8, AEC_DATA_PREPROCESS, block, rsi);
      check_sound(szip, compressed(noise(3000), parameters), noise(3000), parameters);
    }
  const auto odd = with(8, AEC_DATA_PREPROCESS | AEC_NOT_ENFORCE, 10, 3);
  check_sound(szip, compressed(noise(3000), odd), noise(3000), odd);
}

BOOST_AUTO_TEST_CASE(empty_input_needs_no_valid_parameters) {
  BOOST_TEST(!decompress(szip, "", 0, with(64)).why);
  BOOST_TEST((decompress(szip, "x", 0, with(8)).why.code == tgmap::errc::decoded_size_mismatch));
  BOOST_TEST((decompress(szip, "", 8, with(8)).why.code == tgmap::errc::decoded_size_mismatch));
}

BOOST_AUTO_TEST_CASE(parameters_that_libaec_lacks) {
  using tgmap::errc;
  BOOST_TEST((refused(with(0), 8) == errc::bad_combination));
  BOOST_TEST((refused(with(33), 8) == errc::bad_combination));
  BOOST_TEST((refused(with(64), 8) == errc::bad_combination));
  BOOST_TEST((refused(with(32), 10) == errc::bad_combination));  // the last sample is incomplete
  BOOST_TEST((refused(with(8, 8, 16, 0), 8) == errc::bad_parameter));
  BOOST_TEST((refused(with(8, 8, 16, 4097), 8) == errc::bad_parameter));
  for (const std::uint32_t block : {0u, 1u, 10u, 128u, UINT32_MAX})
    BOOST_TEST((refused(with(8, 8, block), 8) == errc::bad_parameter));
  for (const std::uint32_t block : {0u, 1u, 9u, 0x80000000u, UINT32_MAX - 1})
    BOOST_TEST((refused(with(8, AEC_NOT_ENFORCE, block), 8) == errc::bad_parameter));
  BOOST_TEST((refused(with(8, AEC_RESTRICTED), 8) == errc::bad_parameter));
}

BOOST_AUTO_TEST_CASE(padded_intervals_are_right_or_an_error) {
  const auto parameters = with(8, AEC_DATA_PREPROCESS | AEC_PAD_RSI, 16, 4);
  check_sound(szip, compressed(waves(64), parameters), waves(64), parameters);
  std::size_t refused_ones = 0;
  for (unsigned seed = 0; seed < 50; ++seed) {
    const auto data = noise(64 * 5, seed).replace(0, 100, waves(100));
    const auto found = decompress(szip, compressed(data, parameters), data.size(), parameters);
    if (found.why)
      ++refused_ones;
    else
      BOOST_TEST((found.data == data));
  }
  BOOST_TEST(refused_ones > 0);
}

BOOST_AUTO_TEST_CASE(offsets_of_restricted_intervals) {
  for (const auto& parameters : {with(2, AEC_RESTRICTED | AEC_DATA_PREPROCESS), with(4, AEC_RESTRICTED), with(4)}) {
    const std::size_t interval = 64;
    auto data = samples(interval * 7, static_cast<unsigned>(parameters.szip.bits), 1, false);
    data.replace(interval * 3, 160, 160, '\0');
    const auto stream = compressed(data, parameters);
    std::vector<std::uint64_t> places(7);
    BOOST_TEST_REQUIRE(find_szip_offsets(parameters.szip, span_of(stream), places));
    BOOST_TEST(count_valid_szip_offsets(parameters.szip, span_of(stream), 0, places) == places.size());
    BOOST_TEST(last_interval_fits(parameters.szip, span_of(stream), places.back(), parameters.szip.rsi));
    for (std::size_t i = 0; i < places.size(); ++i) {
      const unsigned shift = places[i] % 8;
      const auto at = [&](std::size_t k) { return k < stream.size() ? static_cast<unsigned char>(stream[k]) : 0u; };
      bytes moved;
      for (std::size_t k = places[i] / 8; k < stream.size(); ++k)
        moved += static_cast<char>((at(k) << 8 | at(k + 1)) >> (8 - shift));
      const auto found = decompress(szip, moved, interval, parameters);
      BOOST_TEST((!found.why && found.data == data.substr(i * interval, interval)), "interval " << i);
    }
  }
}

BOOST_AUTO_TEST_CASE(offsets_of_padded_intervals) {
  const auto plain = with(8), padded = with(8, AEC_DATA_PREPROCESS | AEC_PAD_RSI);
  const auto data = noise(64 * 6, 3).replace(0, 200, waves(200));
  bytes stream;
  std::vector<std::uint64_t> places;
  for (std::size_t i = 0; i < 6; ++i) {  // each one is padded to a byte
    places.push_back(stream.size() * 8);
    stream += compressed(data.substr(i * 64, 64), plain);
  }
  BOOST_TEST(count_valid_szip_offsets(padded.szip, span_of(stream), 0, places) == 6u);
  BOOST_TEST(count_valid_szip_offsets(plain.szip, span_of(stream), 0, places) < 6u);
  places[4] += 8;
  BOOST_TEST(count_valid_szip_offsets(padded.szip, span_of(stream), 0, places) == 4u);
}

BOOST_AUTO_TEST_CASE(damaged_streams) {
  for (const auto& parameters : {with(8), with(16, AEC_DATA_MSB | AEC_DATA_PREPROCESS), with(24, AEC_DATA_3BYTE),
                                 with(32), with(2, AEC_RESTRICTED), with(8, AEC_NOT_ENFORCE, 6)}) {
    const auto data = samples(100, static_cast<unsigned>(parameters.szip.bits), parameters.szip.sample_size,
                              parameters.szip.flags & AEC_DATA_MSB);
    check_hostile(szip, compressed(data, parameters), data, parameters);
  }
}

BOOST_AUTO_TEST_SUITE_END()
