// SPDX-License-Identifier: Apache-2.0
#include <SZ3/api/sz.hpp>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <support/rounds.hpp>
#include <vector>

#include <codec/round_trip.hpp>
#include "codec/sz3/sz3_container.hpp"

using namespace tgmap_test;
using tgmap::codec::sz3_method;

BOOST_AUTO_TEST_SUITE(sz3_test)

namespace {

constexpr auto sz3 = tgmap::compression::sz3;
using doubles = std::vector<double>;

bytes as_bytes(const doubles& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)};
}

doubles smooth(std::size_t count) {
  doubles out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = 250 + 30 * std::sin(0.01 * i) + std::cos(0.3 * i);
  return out;
}

/// Returns small steps up and down, which Lorenzo predicts better than interpolation.
doubles walk(std::size_t count) {
  std::mt19937 random(7);
  doubles out(count);
  double at = 0;
  for (double& each : out) each = at += static_cast<int>(random() % 3) - 1;
  return out;
}

doubles rough(std::size_t count) {
  std::mt19937_64 random(3);
  doubles out(count);
  for (double& each : out) each = static_cast<double>(random() >> 20) * std::pow(10.0, random() % 20);
  return out;
}

/// Adds some unpredictable values.
doubles with_outliers(std::size_t count) {
  doubles out = smooth(count);
  for (std::size_t i = 0; i < count; i += 37) out[i] = i % 2 == 0 ? 1e300 : -std::numeric_limits<double>::infinity();
  return out;
}

/// The configuration of Tensogram's writers.
bytes by_sz3(const doubles& values, SZ3::EB mode, double bound) {
  SZ3::Config config(values.size());
  config.dataType = SZ_DOUBLE;
  config.errorBoundMode = mode;
  config.absErrorBound = config.relErrorBound = config.psnrErrorBound = bound;
  config.quantbinCnt = 65536;
  config.blockSize = 128;
  std::size_t size = 0;
  const std::unique_ptr<char[]> made(SZ_compress<double>(config, values.data(), size));
  return {made.get(), size};
}

/// Decompresses with SZ3 itself.
bytes by_plain_call(const bytes& stored, std::size_t count) {
  doubles out(count);
  double* to = out.data();
  SZ3::Config config;
  SZ_decompress<double>(config, stored.data(), stored.size(), to);
  return as_bytes(out);
}

sz3_method method_of(const bytes& stored, std::size_t count) {
  tgmap::codec::sz3_container container;
  BOOST_TEST_REQUIRE(!tgmap::codec::read_sz3_container(span_of(stored), count * sizeof(double), container));
  return container.method;
}

struct stream {
  bytes stored;
  std::size_t count;
};

/// Returns small streams of every method.
std::vector<stream> small_streams() {
  std::vector<stream> out;
  for (const std::size_t count : {1, 2, 6, 60})
    for (const double bound : {1e-2, 0.0}) out.push_back({by_sz3(smooth(count), SZ3::EB_ABS, bound), count});
  out.push_back({by_sz3(with_outliers(80), SZ3::EB_ABS, 1.0), 80});
  out.push_back({by_sz3(walk(3000), SZ3::EB_ABS, 0.5), 3000});
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_mode_equals_sz3) {
  std::array<int, 3> seen{};
  case_sampler cases(7);
  for (const auto& make : {smooth, walk, rough, with_outliers})
    for (const std::size_t count :
         {1, 2, 3, 4, 5, 8, 9, 31, 32, 33, 64, 65, 100, 300, 2000, 4095, 4096, 4097, 8192, 8193, 12289, 40000})
      for (const auto& [mode, bound] : {std::pair{SZ3::EB_ABS, 1e-2},
                                        {SZ3::EB_ABS, 0.4},
                                        {SZ3::EB_ABS, 1e-9},
                                        {SZ3::EB_ABS, 0.0},
                                        {SZ3::EB_ABS, -1.0},
                                        {SZ3::EB_REL, 1e-3},
                                        {SZ3::EB_REL, 1e-7},
                                        {SZ3::EB_PSNR, 40.0},
                                        {SZ3::EB_PSNR, 100.0}})
        BOOST_TEST_CONTEXT("count " << count << ", mode " << mode << ", bound " << bound) {
          if (!cases.takes_next()) continue;
          const bytes stored = by_sz3(make(count), mode, bound);
          const auto found = decompress(sz3, stored, count * sizeof(double));
          BOOST_TEST_REQUIRE(!found.why, found.why.text());
          BOOST_TEST((found.data == by_plain_call(stored, count)));
          ++seen[static_cast<std::size_t>(method_of(stored, count))];
        }
  for (const int each : seen) BOOST_TEST(each > 0);
  BOOST_TEST_MESSAGE("interpolation " << seen[0] << ", Lorenzo " << seen[1] << ", lossless " << seen[2]);
}

BOOST_AUTO_TEST_CASE(unpredictable_values_are_exact) {
  doubles values = smooth(500);
  values[3] = std::numeric_limits<double>::quiet_NaN();
  values[499] = -0.0;
  const auto found = decompress(sz3, by_sz3(values, SZ3::EB_ABS, 0), 4000);
  BOOST_TEST((found.data == as_bytes(values)));
}

BOOST_AUTO_TEST_CASE(output_need_not_be_aligned) {
  const bytes stored = by_sz3(smooth(100), SZ3::EB_ABS, 1e-2), expected = by_plain_call(stored, 100);
  bytes out(807, '\0');
  for (std::size_t at = 0; at < 7; ++at) {
    const auto to = std::as_writable_bytes(std::span(out)).subspan(at, 800);
    BOOST_TEST(!tgmap::codec::find_decompressor(sz3)->run({span_of(stored)}, to));
    BOOST_TEST((view_of(to) == expected));
  }
}

BOOST_AUTO_TEST_CASE(other_sizes_are_refused) {
  for (const auto& each : small_streams()) {
    for (const std::size_t size : {each.count * 8 - 8, each.count * 8 + 8, std::size_t{80000}}) {
      const auto why = decompress(sz3, each.stored, size).why;
      BOOST_TEST((why.code == tgmap::errc::decoded_size_mismatch));
      BOOST_TEST(why.expected == size);
    }
    BOOST_TEST((decompress(sz3, each.stored, each.count * 8 + 4).why.code == tgmap::errc::bad_combination));
  }
}

BOOST_AUTO_TEST_CASE(empty_input_is_an_empty_stream) {
  BOOST_TEST(!decompress(sz3, "", 0).why);
  BOOST_TEST((decompress(sz3, "", 8).why.code == tgmap::errc::codec_failed));
  BOOST_TEST((decompress(sz3, "12345678", 0).why.code == tgmap::errc::decoded_size_mismatch));
}

BOOST_AUTO_TEST_CASE(every_truncation_is_refused) {
  for (const auto& each : small_streams())
    for (std::size_t size = 0; size < each.stored.size(); ++size)
      BOOST_TEST(static_cast<bool>(decompress(sz3, each.stored.substr(0, size), each.count * 8).why));
}

BOOST_AUTO_TEST_CASE(trailing_bytes_are_rejected) {
  for (const auto& each : small_streams())
    BOOST_TEST((decompress(sz3, each.stored + '\0', each.count * 8).why.code == tgmap::errc::codec_failed));
}

BOOST_AUTO_TEST_CASE(damaged_streams) {
  for (const auto& each : small_streams()) check_hostile(sz3, each.stored, by_plain_call(each.stored, each.count));
}

/// Damages bytes before they are compressed by zstd, because zstd rejects most damage.
BOOST_AUTO_TEST_CASE(damaged_content) {
  std::mt19937 random(1);
  for (const auto& each : small_streams()) {
    tgmap::codec::sz3_container container;
    BOOST_TEST_REQUIRE(!tgmap::codec::read_sz3_container(span_of(each.stored), each.count * 8, container));
    if (container.method == sz3_method::lossless) continue;
    bytes content(container.content_size, '\0');
    BOOST_TEST_REQUIRE(ZSTD_decompress(content.data(), content.size(), container.content.data(),
                                       container.content.size()) == content.size());
    const bytes config = each.stored.substr(24 + container.content.size());
    const auto wrapped = [&](const bytes& inner) {
      bytes packed(ZSTD_compressBound(inner.size()), '\0');
      packed.resize(ZSTD_compress(packed.data(), packed.size(), inner.data(), inner.size(), 1));
      const std::uint64_t sizes[] = {packed.size() + 8, inner.size()};
      return each.stored.substr(0, 8) + bytes(reinterpret_cast<const char*>(sizes), 16) + packed + config;
    };
    BOOST_TEST(!decompress(sz3, wrapped(content), each.count * 8).why);
    for (std::size_t size = 0; size < content.size(); size += 1 + content.size() / 400)
      BOOST_TEST(static_cast<bool>(decompress(sz3, wrapped(content.substr(0, size)), each.count * 8).why));
    for (std::size_t at = 0; at < std::min<std::size_t>(content.size(), 300); ++at)
      for (const int value : {content[at] ^ 1, content[at] ^ 0x80, 0, 0xff, 0x7f, 2}) {
        bytes damaged = content;
        damaged[at] = static_cast<char>(value);
        decompress(sz3, wrapped(damaged), each.count * 8);
      }
    for (int round = 0; round < 1000; ++round) {
      bytes damaged = content;
      for (unsigned changes = 1 + random() % 4; changes > 0; --changes)
        damaged[random() % damaged.size()] = static_cast<char>(random());
      decompress(sz3, wrapped(damaged), each.count * 8);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
