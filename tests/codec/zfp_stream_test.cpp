// SPDX-License-Identifier: Apache-2.0
// Streams of more than one step, out of bytes that may change: what comes of them is what comes of all at once, and
// where they do change, nothing is touched that is not theirs.
#include <zfp.h>
#include <zfp/bitstream.h>

#include <random>
#include <vector>

#include "outcome.hpp"

using namespace tgmap_test;
using namespace tgmap::codec;

BOOST_AUTO_TEST_SUITE(zfp_stream_test)

BOOST_AUTO_TEST_CASE(streams_of_every_mode) {
  constexpr auto zfp = tgmap::compression::zfp;
  std::mt19937_64 random(7);
  std::vector<double> values(40'003);
  for (std::size_t i = 0; i < values.size(); ++i)  // some blocks are zero, and take one bit
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
