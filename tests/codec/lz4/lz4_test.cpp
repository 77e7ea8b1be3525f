// SPDX-License-Identifier: Apache-2.0
#include <lz4.h>
#include <random>

#include <codec/round_trip.hpp>
#include "codec/lz4/lz4.hpp"

using namespace tgmap_test;
using namespace tgmap::codec;

BOOST_AUTO_TEST_SUITE(lz4_test)

namespace {

constexpr auto lz4 = tgmap::compression::lz4;

bytes little_u32(std::uint64_t n) {
  bytes out = big_endian(n, 4);
  return {out.rbegin(), out.rend()};
}

bytes block_of(const bytes& data) {
  bytes out(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(data.size()))), '\0');
  out.resize(static_cast<std::size_t>(
      LZ4_compress_default(data.data(), out.data(), static_cast<int>(data.size()), static_cast<int>(out.size()))));
  return out;
}

bytes compressed(const bytes& data) { return little_u32(data.size()) + block_of(data); }

}  // namespace

BOOST_AUTO_TEST_CASE(blocks_of_all_kinds) {
  for (const auto& data : {waves(5000), noise(5000), bytes(100000, 'x'), bytes(1, 'y')}) {
    const auto exact = decompress(lz4, compressed(data), data.size());
    BOOST_TEST(!exact.why);
    BOOST_TEST((exact.data == data));
  }
}

BOOST_AUTO_TEST_CASE(no_bytes_are_a_block) { BOOST_TEST(!decompress(lz4, bytes(5, '\0'), 0).why); }

BOOST_AUTO_TEST_CASE(stated_size_must_match) {
  const auto why = decompress(lz4, compressed(waves(100)), 104).why;
  BOOST_TEST((why.code == tgmap::errc::decoded_size_mismatch));
  BOOST_TEST(why.expected == 104);
  BOOST_TEST(why.found == 100);
}

BOOST_AUTO_TEST_CASE(block_must_have_the_stated_size) {
  const auto less = decompress(lz4, little_u32(104) + block_of(waves(100)), 104).why;
  BOOST_TEST((less.code == tgmap::errc::decoded_size_mismatch));
  BOOST_TEST(less.found == 100);
  const auto more = decompress(lz4, little_u32(96) + block_of(noise(100)), 96).why;
  BOOST_TEST((more.code == tgmap::errc::codec_failed));
  BOOST_TEST(more.found > 0);  // position in the block, by the library
}

BOOST_AUTO_TEST_CASE(missing_size) {
  BOOST_TEST((decompress(lz4, "", 0).why.code == tgmap::errc::codec_failed));
  BOOST_TEST((decompress(lz4, "abc", 0).why.code == tgmap::errc::codec_failed));
}

BOOST_AUTO_TEST_CASE(damaged_blocks) { check_hostile(lz4, compressed(waves(300) + noise(20)), waves(300) + noise(20)); }

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(lz4_block_test)

namespace {

constexpr auto lz4_blocks = tgmap::compression::lz4;

bytes by_lz4(const bytes& data) {
  bytes size = big_endian(data.size(), 4);
  bytes out(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(data.size()))), '\0');
  out.resize(static_cast<std::size_t>(
      LZ4_compress_default(data.data(), out.data(), static_cast<int>(data.size()), static_cast<int>(out.size()))));
  return bytes(size.rbegin(), size.rend()) + out;
}

/// Returns bytes with literals and matches of all lengths and distances.
bytes mixture(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  bytes out = noise(1000, seed);
  while (out.size() < size) {
    const std::size_t length = std::size_t{1} << random() % 14,
                      far = 1 + random() % std::min<std::size_t>(out.size(), 65535);
    if (random() % 3 == 0) out += noise(random() % 40, random());
    for (std::size_t i = 0; i < length; ++i) out += out[out.size() - far];
    if (random() % 5 == 0) out += noise(length, random());
  }
  return out;
}

/// Returns bytes with never five literals in a row, so that no block can be split.
bytes pairs(std::size_t size) {
  bytes out = "abcdefgh";
  for (unsigned i = 0; out.size() < size; ++i) {
    out += static_cast<char>(i);
    out += static_cast<char>(i >> 8);
    out += out.substr(out.size() - 8 - i % 500 % (out.size() - 7), 8);
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(sequences_of_all_kinds) {
  const bytes once = noise(300'000);
  for (const auto& data :
       {once, once + once, mixture(3'000'000, 1), mixture(3'000'000, 2), pairs(1'000'000), bytes(40'000'000, 'x'),
        bytes(40'000'000, 'x') + once + once.substr(0, 100'000), once + bytes(40'000'000, 'y') + "the end"}) {
    const auto found = decompress(lz4_blocks, by_lz4(data), data.size());
    BOOST_TEST(!found.why);
    BOOST_TEST((found.data == data));
  }
}

BOOST_AUTO_TEST_CASE(blocks_that_change_while_they_are_read) {
  for (const auto& data : {mixture(1'000'000, 3), noise(400'000)}) {
    const bytes stored = by_lz4(data);
    check_damaged(lz4_blocks, stored, data.size(), {}, 60);
    for (const std::size_t cut : {1, 4, 5, 7, 8, 9, 100, 5000, 140'000})
      decompress(lz4_blocks, stored.substr(0, stored.size() - cut), data.size());
    check_changing(lz4_blocks, stored, data.size(), {});
  }
}

BOOST_AUTO_TEST_CASE(blocks_end_with_five_literals) {
  const auto cut_of = [](std::string_view row) { return find_last_lz4_cut(span_of(row)); };
  const bytes five =
                  "\x50"
                  "abcde"
                  "\x05",
              match = bytes("\x00\x05", 2);
  BOOST_TEST(cut_of("").literals == 0u);
  BOOST_TEST(cut_of("\x50"
                    "abcd")
                 .literals == 0u);  // there are four
  BOOST_TEST(cut_of("\x40"
                    "abcd")
                 .literals == 0u);
  const auto one = cut_of(
      "\x50"
      "abcde");
  BOOST_TEST(one.token == 0u);
  BOOST_TEST(one.literals == 1u);
  BOOST_TEST(one.count == 5u);
  const auto second = cut_of(five + bytes(1, '\0') +
                             "\x60"
                             "abcdef");
  BOOST_TEST(second.token == 8u);
  BOOST_TEST(second.literals == 9u);
  BOOST_TEST(second.count == 6u);
  const auto many = cut_of(
      "\xf0\xff\xff\x01"
      "abcde");  // most of them are missing
  BOOST_TEST(many.literals == 4u);
  BOOST_TEST(many.count == 15u + 255 + 255 + 1);
  BOOST_TEST(cut_of("\xf0\xff\xff").literals == 0u);  // the number is unknown
  const auto extended = cut_of(bytes("\x0f\x05\x00\xff\x07", 5) +
                               "\x50"
                               "abcde");  // after a long match
  BOOST_TEST(extended.token == 5u);
}

BOOST_AUTO_TEST_SUITE_END()
