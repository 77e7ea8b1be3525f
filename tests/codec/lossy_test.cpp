// SPDX-License-Identifier: Apache-2.0
// Compression by zfp and sz3 stays within its bounds, and writes the payloads of release 0.24.0 of the reference, which
// are known by their hashes.
#include <cmath>
#include <random>
#include <support/hash.hpp>
#include <support/rounds.hpp>

#include <codec/round_trip.hpp>
#include "codec/sz3/sz3_container.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(lossy_test)

using namespace tgmap;
using tgmap::zfp_mode;

namespace {

using doubles = std::vector<double>;

bytes bytes_of(const doubles& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)};
}

doubles doubles_of(const bytes& data) {
  doubles out(data.size() / sizeof(double));
  std::copy(data.begin(), data.end(), reinterpret_cast<char*>(out.data()));
  return out;
}

/// Returns numbers that every language computes in the same way.
doubles smooth(std::size_t count) {
  doubles out(count);
  for (std::size_t i = 0; i < count; ++i)
    out[i] = 250 + (static_cast<double>(i % 97) - 48) * (static_cast<double>(i % 89) - 40) / 64;
  return out;
}

doubles scattered(std::size_t count) {
  doubles out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<double>(i * 2654435761u % 4294967296u) / 1048576;
  return out;
}

doubles steps(std::size_t count) {
  doubles out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<double>(i / 50 % 7);
  return out;
}

doubles constant(std::size_t count) { return doubles(count, 42.5); }

doubles of_any_size(std::size_t count) {
  std::mt19937_64 random(5);
  doubles out(count);
  for (double& each : out)
    each = std::ldexp(static_cast<double>(random() % 100003), static_cast<int>(random() % 40) - 60);
  return out;
}

constexpr std::array counts{1u, 2u, 3u, 4u, 5u, 64u, 1000u, 4096u, 4097u, 30001u};
constexpr std::array fields{smooth, scattered, steps, constant, of_any_size};

doubles there_and_back(const pipeline& how, const doubles& values) {
  const auto compressed = compress(how, bytes_of(values));
  BOOST_TEST_REQUIRE(!compressed.why, compressed.why.text());
  const auto found =
      decompress(how.compression, compressed.data, values.size() * sizeof(double), tgmap_test::parameters_of(how));
  BOOST_TEST_REQUIRE(!found.why, found.why.text());
  return doubles_of(found.data);
}

double greatest_error(const doubles& a, const doubles& b) {
  double out = 0;
  for (std::size_t i = 0; i < a.size(); ++i) out = std::max(out, std::abs(a[i] - b[i]));
  return out;
}

double range(const doubles& of) {
  const auto [least, most] = std::minmax_element(of.begin(), of.end());
  return *most - *least;
}

pipeline zfp_with(zfp_options with) { return {.compression = compression::zfp, .zfp = with}; }
pipeline sz3_with(sz3_options with) { return {.compression = compression::sz3, .sz3 = with}; }

std::string digest(const bytes& of) { return sha256(of).substr(0, 16); }

/// Returns the content of the zstd frame, which does not depend on the release of zstd.
bytes sz3_content(const bytes& stored, std::size_t count) {
  codec::sz3_container container;
  BOOST_TEST_REQUIRE(!codec::read_sz3_container(span_of(stored), count * sizeof(double), container));
  const auto found = decompress(compression::zstd, view_of(container.content), container.content_size);
  BOOST_TEST_REQUIRE(!found.why);
  return found.data;
}

bool without(compression which) {
  const bool absent = codec::find_compressor(which) == nullptr;
  if (absent) BOOST_TEST_MESSAGE("without " << to_string_view(which));
  return absent;
}

}  // namespace

BOOST_AUTO_TEST_CASE(zfp_keeps_its_tolerance) {
  if (without(compression::zfp)) return;
  for (const auto& field : fields)
    for (const auto count : counts)
      for (const double tolerance : {1e-9, 1e-3, 10.0}) {
        const auto values = field(count);
        const auto how = zfp_with({.mode = zfp_mode::fixed_accuracy, .tolerance = tolerance});
        BOOST_TEST(greatest_error(values, there_and_back(how, values)) <= tolerance);
      }
}

BOOST_AUTO_TEST_CASE(zfp_keeps_its_rate) {
  if (without(compression::zfp)) return;
  for (const auto& field : fields)
    for (const auto count : counts)
      for (const double rate : {3.0, 8.0, 16.25, 64.0}) {
        const auto values = field(count);
        const auto how = zfp_with({.mode = zfp_mode::fixed_rate, .rate = rate});
        const auto compressed = compress(how, bytes_of(values));
        const auto bits = std::max(12.0, std::floor(rate * 4 + 0.5)) * static_cast<double>((count + 3) / 4);
        BOOST_TEST(compressed.data.size() == static_cast<std::size_t>(std::ceil(bits / 64)) * 8);
        there_and_back(how, values);
      }
}

BOOST_AUTO_TEST_CASE(zfp_with_more_bit_planes_is_more_exact) {
  if (without(compression::zfp)) return;
  for (const auto& field : fields)
    for (const auto count : counts) {
      const auto values = field(count);
      double before = INFINITY;
      for (const std::uint32_t precision : {8u, 32u, 64u}) {
        const auto how = zfp_with({.mode = zfp_mode::fixed_precision, .precision = precision});
        const double error = greatest_error(values, there_and_back(how, values));
        BOOST_TEST(error <= before);
        before = error;
      }
      BOOST_TEST(before <= 1e-12 * (std::abs(values[0]) + range(values)));
    }
}

BOOST_AUTO_TEST_CASE(zfp_as_the_reference_writes_it) {
  if (without(compression::zfp)) return;
  const auto r16 = zfp_with({.mode = zfp_mode::fixed_rate, .rate = 16});
  const auto r3 = zfp_with({.mode = zfp_mode::fixed_rate, .rate = 3.3});
  const auto r64 = zfp_with({.mode = zfp_mode::fixed_rate, .rate = 64});
  const auto p20 = zfp_with({.mode = zfp_mode::fixed_precision, .precision = 20});
  const auto a3 = zfp_with({.mode = zfp_mode::fixed_accuracy, .tolerance = 1e-3});
  struct expectation {
    const pipeline& how;
    doubles values;
    std::string_view digest;
  };
  const std::vector<expectation> all{
      {r16, smooth(1), "3c02ef0885d261f3"},      {r3, smooth(1), "a093c58283bcba02"},
      {r64, smooth(1), "a26ac2e06fe9220f"},      {r3, smooth(5), "f10dd6ebcfcc7895"},
      {p20, smooth(5), "e4ee1e934ba11b60"},      {a3, smooth(5), "8b21a76a0d0e5cc9"},
      {r16, smooth(1000), "6f49010353d680f2"},   {r3, smooth(1000), "8b300e4974024e95"},
      {p20, smooth(1000), "0d39775656859081"},   {a3, smooth(1000), "71288ac76d29ef40"},
      {r64, smooth(20000), "d7e8ab9feb7cf7dc"},  {p20, smooth(20000), "76afa19d1d500dd0"},
      {a3, smooth(20000), "375029462d8d9b83"},   {r3, scattered(1000), "bdaa0cfde2755c15"},
      {a3, scattered(1000), "40c901535e8dc15b"}, {r3, steps(4097), "902c18c74a1fbc66"},
      {p20, steps(4097), "62a844b6f163597e"},    {a3, steps(4097), "58e482282b508f23"},
      {r3, constant(100), "524b40ed1ed36674"},   {p20, constant(100), "8d03bff316d2a5d9"}};
  for (const auto& each : all) BOOST_TEST(digest(compress(each.how, bytes_of(each.values)).data) == each.digest);
}

BOOST_AUTO_TEST_CASE(sz3_keeps_its_bounds) {
  if (without(compression::sz3)) return;
  case_sampler cases(5);
  for (const auto& field : fields)
    for (const auto count : counts) {
      if (!cases.takes_next()) continue;
      const auto values = field(count);
      for (const double bound : {1e-6, 1e-2, 1.0}) {
        const auto absolute = sz3_with({.mode = sz3_bound::absolute, .bound = bound});
        BOOST_TEST(greatest_error(values, there_and_back(absolute, values)) <= bound);
      }
      const auto relative = sz3_with({.mode = sz3_bound::relative, .bound = 1e-3});
      BOOST_TEST(greatest_error(values, there_and_back(relative, values)) <= 1e-3 * range(values));

      const auto back = there_and_back(sz3_with({.mode = sz3_bound::psnr, .bound = 60}), values);
      double squares = 0;
      for (std::size_t i = 0; i < count; ++i) squares += (values[i] - back[i]) * (values[i] - back[i]);
      BOOST_TEST(std::sqrt(squares / count) <= 1.001e-3 * range(values));
    }
}

BOOST_AUTO_TEST_CASE(sz3_as_the_reference_writes_it) {
  if (without(compression::sz3)) return;
  const auto abs = sz3_with({.mode = sz3_bound::absolute, .bound = 1e-3});
  const auto rel = sz3_with({.mode = sz3_bound::relative, .bound = 1e-4});
  const auto psnr = sz3_with({.mode = sz3_bound::psnr, .bound = 80});
  struct expectation {
    const pipeline& how;
    doubles values;
    std::string_view digest;  ///< hash of the content of the zstd frame
  };
  const std::vector<expectation> all{
      {abs, smooth(1), "21e4ffab577531e2"},        {rel, smooth(5), "25ba0366ebf167a5"},
      {abs, smooth(1000), "91ce40a39d077256"},     {rel, smooth(1000), "e45980030393d18e"},
      {psnr, smooth(1000), "03c0ab7198fc9d6e"},    {abs, smooth(20000), "82e6a7f4ff2a04ec"},
      {rel, smooth(20000), "f6e68385021c1a6d"},    {psnr, smooth(20000), "35542620274c39f7"},
      {abs, scattered(1000), "d3d0524bb23da41d"},  {rel, scattered(1000), "5f2b9c4630de703c"},
      {psnr, scattered(1000), "91d31d4fc85b4147"}, {abs, steps(4097), "7dfdf56ca6d07496"},
      {psnr, steps(4097), "cf1318d2277396cd"},     {abs, constant(100), "1dc8122caf02d7e1"},
      {rel, constant(100), "163bc21552f30073"}};
  for (const auto& each : all) {
    const auto compressed = compress(each.how, bytes_of(each.values));
    BOOST_TEST_REQUIRE(!compressed.why);
    BOOST_TEST(digest(sz3_content(compressed.data, each.values.size())) == each.digest);
  }
}

BOOST_AUTO_TEST_SUITE_END()
