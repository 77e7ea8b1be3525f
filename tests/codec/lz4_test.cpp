// SPDX-License-Identifier: Apache-2.0
#include <lz4.h>

#include "outcome.hpp"

using namespace tgmap_test;

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

BOOST_AUTO_TEST_CASE(nothing_is_a_block_too) { BOOST_TEST(!decompress(lz4, bytes(5, '\0'), 0).why); }

BOOST_AUTO_TEST_CASE(the_stated_size_must_be_the_one_needed) {
  const auto why = decompress(lz4, compressed(waves(100)), 104).why;
  BOOST_TEST((why.code == tgmap::errc::decoded_size_mismatch));
  BOOST_TEST(why.expected == 104);
  BOOST_TEST(why.found == 100);
}

BOOST_AUTO_TEST_CASE(the_block_must_hold_what_is_stated) {
  const auto less = decompress(lz4, little_u32(104) + block_of(waves(100)), 104).why;
  BOOST_TEST((less.code == tgmap::errc::decoded_size_mismatch));
  BOOST_TEST(less.found == 100);
  const auto more = decompress(lz4, little_u32(96) + block_of(noise(100)), 96).why;
  BOOST_TEST((more.code == tgmap::errc::codec_failed));
  BOOST_TEST(more.found > 0);  // where in the block it failed, as the library counts
}

BOOST_AUTO_TEST_CASE(no_room_for_a_size) {
  BOOST_TEST((decompress(lz4, "", 0).why.code == tgmap::errc::codec_failed));
  BOOST_TEST((decompress(lz4, "abc", 0).why.code == tgmap::errc::codec_failed));
}

BOOST_AUTO_TEST_CASE(hostile) { check_hostile(lz4, compressed(waves(300) + noise(20)), waves(300) + noise(20)); }

BOOST_AUTO_TEST_SUITE_END()
