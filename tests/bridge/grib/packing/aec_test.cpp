// SPDX-License-Identifier: Apache-2.0
// AEC streams of any width. The streams themselves are compared with those that ecCodes wrote in the tests of carry/.
#include "bridge/grib/packing/aec.hpp"

#include <boost/test/unit_test.hpp>
#include <random>
#include <tgmap/tgmap.hpp>
#include <vector>

using namespace tgmap::bridge::grib;

BOOST_AUTO_TEST_SUITE(bridge_aec)

namespace {

template <class Sample>
std::vector<Sample> smooth_samples(std::size_t n, unsigned bits) {
  std::mt19937_64 next(bits);
  const auto most = static_cast<std::int64_t>((std::uint64_t{1} << bits) - 1);
  std::int64_t at = most / 2;
  std::vector<Sample> out(n);
  for (auto& each : out) {
    at = std::clamp<std::int64_t>(at + static_cast<std::int64_t>(next() % 7) - 3, 0, most);
    each = static_cast<Sample>(at);
  }
  return out;
}

template <class Sample>
void check_round_trip(unsigned bits, const aec_parameters& how) {
  const auto samples = smooth_samples<Sample>(5003, bits);
  byte_buffer memory;
  tgmap::failure why;
  const auto stream = encode_aec(std::as_bytes(std::span(samples)), how, memory, why);
  BOOST_TEST_REQUIRE(!why, why.text());
  std::vector<Sample> found(samples.size());
  why = decode_aec(stream, how, std::as_writable_bytes(std::span(found)));
  BOOST_TEST(!why, why.text());
  BOOST_TEST((found == samples), bits << " bits");
  if (bits % 8 != 0) return;
  // The library finds the same intervals in a stream of one of its own widths.
  const auto offsets = tgmap::find_szip_offsets(stream, samples.size(), bits,
                                                {.rsi = how.rsi, .block_size = how.block_size, .flags = how.flags});
  BOOST_TEST(offsets.size() == (samples.size() - 1) / (how.rsi * how.block_size) + 1);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_width) {
  if (!has_aec()) {
    BOOST_TEST_MESSAGE("SKIPPED: libaec is not installed");
    return;
  }
  for (unsigned bits = 1; bits <= 32; ++bits)
    for (const unsigned flags : {0u, unsigned{aec_preprocess}}) {
      const aec_parameters how{.bits = bits, .block_size = 32, .rsi = 128, .flags = flags};
      switch (aec_sample_bytes(bits)) {
        case 1: check_round_trip<std::uint8_t>(bits, how); break;
        case 2: check_round_trip<std::uint16_t>(bits, how); break;
        default: check_round_trip<std::uint32_t>(bits, how);
      }
    }
}

BOOST_AUTO_TEST_CASE(streams_that_end_early) {
  if (!has_aec()) return;
  const auto samples = smooth_samples<std::uint16_t>(3000, 12);
  const aec_parameters how{.bits = 12, .block_size = 16, .rsi = 4, .flags = aec_preprocess};
  byte_buffer memory;
  tgmap::failure why;
  const auto stream = encode_aec(std::as_bytes(std::span(samples)), how, memory, why);
  BOOST_TEST_REQUIRE(!why);
  std::vector<std::uint16_t> found(samples.size());
  for (std::size_t size = 0; size + 1 < stream.size(); size += 7) {
    const auto failed = decode_aec(stream.first(size), how, std::as_writable_bytes(std::span(found)));
    BOOST_TEST(static_cast<bool>(failed), size << " of " << stream.size() << " bytes");
  }
  BOOST_TEST(!decode_aec(stream, how, std::as_writable_bytes(std::span(found))));
}

BOOST_AUTO_TEST_CASE(parameters_that_libaec_refuses) {
  if (!has_aec()) return;
  std::vector<std::byte> out(100);
  const std::vector<std::byte> stream(100);
  for (const aec_parameters& how :
       {aec_parameters{.bits = 0, .block_size = 16, .rsi = 4}, {.bits = 33, .block_size = 16, .rsi = 4}})
    BOOST_TEST((decode_aec(stream, how, out).code == tgmap::errc::codec_failed));
}

BOOST_AUTO_TEST_SUITE_END()
