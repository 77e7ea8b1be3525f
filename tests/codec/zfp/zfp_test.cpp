// SPDX-License-Identifier: Apache-2.0
#include <zfp.h>
#include <zfp/bitstream.h>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include <codec/round_trip.hpp>

using namespace tgmap_test;
using namespace tgmap::codec;

BOOST_AUTO_TEST_SUITE(zfp_test)

namespace {

constexpr auto zfp = tgmap::compression::zfp;

codec_parameters rate(double bits) { return {.zfp = {.mode = zfp_method::fixed_rate, .rate = bits}}; }
codec_parameters precision(std::uint32_t planes) {
  return {.zfp = {.mode = zfp_method::fixed_precision, .precision = planes}};
}
codec_parameters accuracy(double tolerance) {
  return {.zfp = {.mode = zfp_method::fixed_accuracy, .tolerance = tolerance}};
}

bytes field(std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = 250 + 30 * std::sin(0.1 * static_cast<double>(i));
  return {reinterpret_cast<const char*>(values.data()), count * sizeof(double)};
}

struct both {
  bytes stored, decoded;
};

/// Values compressed and decompressed by zfp itself.
both by_zfp(const bytes& data, const codec_parameters& with) {
  std::vector<double> values(data.size() / sizeof(double));
  std::memcpy(values.data(), data.data(), data.size());
  zfp_field* const what = zfp_field_1d(values.data(), zfp_type_double, values.size());
  zfp_stream* const stream = zfp_stream_open(nullptr);
  switch (with.zfp.mode) {
    case zfp_method::fixed_rate: zfp_stream_set_rate(stream, with.zfp.rate, zfp_type_double, 1, 0); break;
    case zfp_method::fixed_precision: zfp_stream_set_precision(stream, with.zfp.precision); break;
    case zfp_method::fixed_accuracy: zfp_stream_set_accuracy(stream, with.zfp.tolerance); break;
  }
  std::vector<std::uint64_t> words(zfp_stream_maximum_size(stream, what) / 8 + 1);
  bitstream* const bits = stream_open(words.data(), words.size() * 8);
  zfp_stream_set_bit_stream(stream, bits);
  zfp_stream_rewind(stream);
  const std::size_t size = zfp_compress(stream, what);
  BOOST_TEST_REQUIRE(size > 0);
  zfp_stream_rewind(stream);
  BOOST_TEST_REQUIRE(zfp_decompress(stream, what) == size);
  zfp_field_free(what);
  zfp_stream_close(stream);
  stream_close(bits);
  return {{reinterpret_cast<const char*>(words.data()), size},
          {reinterpret_cast<const char*>(values.data()), data.size()}};
}

const codec_parameters every_mode[] = {rate(16),      rate(1.5),    rate(64),       rate(200),    precision(20),
                                       precision(64), precision(0), accuracy(1e-3), accuracy(1e6)};

}  // namespace

BOOST_AUTO_TEST_CASE(every_mode_equals_zfp) {
  for (const auto& with : every_mode)
    for (const std::size_t count : {1, 2, 3, 4, 5, 1001}) {
      const auto made = by_zfp(field(count), with);
      const auto found = decompress(zfp, made.stored, made.decoded.size(), with);
      BOOST_TEST(!found.why);
      BOOST_TEST((found.data == made.decoded));
    }
}

BOOST_AUTO_TEST_CASE(output_need_not_be_aligned) {
  const auto made = by_zfp(field(100), rate(16));
  bytes out(807, '\0');
  for (std::size_t at = 0; at < 7; ++at) {
    const auto to = std::as_writable_bytes(std::span(out)).subspan(at, 800);
    BOOST_TEST(!find_decompressor(zfp)->run({span_of(made.stored), rate(16)}, to));
    BOOST_TEST((view_of(to) == made.decoded));
  }
}

BOOST_AUTO_TEST_CASE(empty_input_is_an_empty_stream) {
  BOOST_TEST(!decompress(zfp, "", 0, rate(16)).why);
  BOOST_TEST((decompress(zfp, "12345678", 0, rate(16)).why.code == tgmap::errc::decoded_size_mismatch));
  BOOST_TEST((decompress(zfp, "", 8, rate(16)).why.code == tgmap::errc::decoded_size_mismatch));
}

BOOST_AUTO_TEST_CASE(fixed_rate_states_the_missing_bytes) {
  const auto made = by_zfp(field(100), rate(16));  // 25 blocks of 64 bits
  BOOST_TEST_REQUIRE(made.stored.size() == 200);
  const auto why = decompress(zfp, made.stored.substr(0, 192), 800, rate(16)).why;
  BOOST_TEST((why.code == tgmap::errc::decoded_size_mismatch));
  BOOST_TEST(why.expected == 800);
  BOOST_TEST(why.found == 768);
}

BOOST_AUTO_TEST_CASE(overlong_stream_is_rejected) {
  for (const auto& with : every_mode)
    BOOST_TEST((decompress(zfp, bytes(100000, '\0'), 800, with).why.code == tgmap::errc::decoded_size_mismatch));
}

BOOST_AUTO_TEST_CASE(truncated_stream_is_rejected) {
  for (const auto& with : every_mode) {
    const auto made = by_zfp(field(1000), with);
    const auto cut = decompress(zfp, made.stored.substr(0, made.stored.size() - 8), 8000, with).why;
    BOOST_TEST(static_cast<bool>(cut));
  }
}

BOOST_AUTO_TEST_CASE(invalid_rate) {
  for (const double bits : {4165.0, 1e9, 1e300}) {
    const auto why = decompress(zfp, "12345678", 8, rate(bits)).why;
    BOOST_TEST((why.code == tgmap::errc::bad_parameter));
  }
}

BOOST_AUTO_TEST_CASE(damaged_streams) {
  for (const auto& with : every_mode) {
    const auto made = by_zfp(field(30), with);
    check_hostile(zfp, made.stored, made.decoded, with);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(zfp_stream_test)

BOOST_AUTO_TEST_CASE(streams_of_every_mode) {
  constexpr auto zfp = tgmap::compression::zfp;
  std::mt19937_64 random(7);
  std::vector<double> values(40'003);
  for (std::size_t i = 0; i < values.size(); ++i)  // some blocks are zero and take one bit
    values[i] = i / 5000 % 2 == 0 ? 0 : static_cast<double>(random()) / 1e17;
  for (const codec_parameters& with :
       {codec_parameters{.zfp = {.mode = zfp_method::fixed_rate, .rate = 17.25}},
        codec_parameters{.zfp = {.mode = zfp_method::fixed_rate, .rate = 4164}},
        codec_parameters{.zfp = {.mode = zfp_method::fixed_precision, .precision = 40}},
        codec_parameters{.zfp = {.mode = zfp_method::fixed_accuracy, .tolerance = 1e-3}}}) {
    std::vector<double> decoded = values;
    zfp_field* const what = zfp_field_1d(decoded.data(), zfp_type_double, decoded.size());
    zfp_stream* const stream = zfp_stream_open(nullptr);
    if (with.zfp.mode == zfp_method::fixed_rate) zfp_stream_set_rate(stream, with.zfp.rate, zfp_type_double, 1, 0);
    if (with.zfp.mode == zfp_method::fixed_precision) zfp_stream_set_precision(stream, with.zfp.precision);
    if (with.zfp.mode == zfp_method::fixed_accuracy) zfp_stream_set_accuracy(stream, with.zfp.tolerance);
    std::vector<std::uint64_t> words(zfp_stream_maximum_size(stream, what) / 8 + 1);
    bitstream* const bits = stream_open(words.data(), words.size() * 8);
    zfp_stream_set_bit_stream(stream, bits);
    zfp_stream_rewind(stream);
    const bytes stored(reinterpret_cast<const char*>(words.data()), zfp_compress(stream, what));
    zfp_stream_rewind(stream);
    BOOST_TEST(zfp_decompress(stream, what) == stored.size());
    zfp_field_free(what);
    zfp_stream_close(stream);
    stream_close(bits);
    const bytes expected(reinterpret_cast<const char*>(decoded.data()), decoded.size() * sizeof(double));
    const auto found = decompress(zfp, stored, expected.size(), with);
    BOOST_TEST(!found.why);
    BOOST_TEST((found.data == expected));
    check_damaged(zfp, stored, expected.size(), with, 10);
    for (const std::size_t cut : {8, 16, 20'000})
      decompress(zfp, stored.substr(0, stored.size() - cut), expected.size(), with);
    check_changing(zfp, stored, expected.size(), with);
  }
}

BOOST_AUTO_TEST_SUITE_END()
