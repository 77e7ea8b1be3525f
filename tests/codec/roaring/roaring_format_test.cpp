// SPDX-License-Identifier: Apache-2.0
#include "codec/roaring/roaring_format.hpp"

#include <codec/round_trip.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(roaring_format_test)

namespace {

bytes little(std::uint64_t n, unsigned width) {
  const bytes out = big_endian(n, width);
  return {out.rbegin(), out.rend()};
}

bool well_formed(const bytes& data, std::uint64_t bits = 1u << 20) {
  return tgmap::codec::is_valid_roaring(span_of(data), bits);
}

bytes shorts(std::initializer_list<unsigned> numbers) {
  bytes out;
  for (const unsigned n : numbers) out += little(n, 2);
  return out;
}

/// Returns a bitmap with one container without runs.
bytes single(unsigned key, unsigned members, const bytes& body) {
  return little(12346, 4) + little(1, 4) + shorts({key, members - 1}) + little(16, 4) + body;
}

/// Returns a bitmap with one container of runs, as pairs of first and length - 1.
bytes runs(unsigned members, std::initializer_list<unsigned> pairs) {
  return shorts({12347, 0}) + little(1, 1) + shorts({0, members - 1}) +
         little(static_cast<unsigned>(pairs.size() / 2), 2) + shorts(pairs);
}

}  // namespace

BOOST_AUTO_TEST_CASE(arrays) {
  BOOST_TEST(well_formed(little(12346, 4) + little(0, 4)));
  BOOST_TEST(well_formed(single(0, 3, shorts({1, 5, 9}))));
  BOOST_TEST(!well_formed(single(0, 3, shorts({1, 9, 5}))));
  BOOST_TEST(!well_formed(single(0, 3, shorts({1, 5, 5}))));
  BOOST_TEST(!well_formed(single(0, 3, shorts({1, 5}))));
  BOOST_TEST(!well_formed(single(0, 3, shorts({1, 5, 9})) + "x"));
  BOOST_TEST(!well_formed(single(0, 1, shorts({1})).replace(12, 1, "\x11")));  // the offset
}

BOOST_AUTO_TEST_CASE(members_are_below_the_number_of_bits) {
  BOOST_TEST(well_formed(single(0, 3, shorts({1, 5, 9})), 10));
  BOOST_TEST(!well_formed(single(0, 3, shorts({1, 5, 9})), 9));
  BOOST_TEST(well_formed(single(15, 1, shorts({0xffff}))));
  BOOST_TEST(!well_formed(single(16, 1, shorts({0}))));
  BOOST_TEST(!well_formed(runs(4, {7, 3}), 10));
  BOOST_TEST(well_formed(runs(4, {7, 3}), 11));
}

BOOST_AUTO_TEST_CASE(bitsets) {
  bytes bits(8192, '\0');
  for (unsigned i = 0; i < 700; ++i) bits[i] = '\x7f';
  BOOST_TEST(well_formed(single(0, 4900, bits)));
  BOOST_TEST(!well_formed(single(0, 4901, bits)));
  BOOST_TEST(well_formed(single(0, 4900, bits), 699 * 8 + 7));
  BOOST_TEST(!well_formed(single(0, 4900, bits), 699 * 8 + 6));
  BOOST_TEST(!well_formed(single(0, 4900, bits.substr(1))));
}

BOOST_AUTO_TEST_CASE(containers_of_runs) {
  BOOST_TEST(well_formed(runs(7, {0, 2, 10, 3})));
  BOOST_TEST(!well_formed(runs(8, {0, 2, 10, 3})));
  BOOST_TEST(!well_formed(runs(8, {0, 3, 3, 3})));   // overlapping
  BOOST_TEST(!well_formed(runs(7, {10, 3, 0, 2})));  // descending
  BOOST_TEST(!well_formed(runs(4, {0xfffe, 3})));    // past the end of the container
  BOOST_TEST(!well_formed(runs(1, {})));
}

BOOST_AUTO_TEST_CASE(keys_are_ascending) {
  const auto two = [](unsigned a, unsigned b) {
    return little(12346, 4) + little(2, 4) + shorts({a, 0, b, 0}) + little(24, 4) + little(26, 4) + shorts({3, 4});
  };
  BOOST_TEST(well_formed(two(1, 2)));
  BOOST_TEST(!well_formed(two(2, 1)));
  BOOST_TEST(!well_formed(two(1, 1)));
}

BOOST_AUTO_TEST_CASE(invalid_heads) {
  BOOST_TEST(!well_formed(""));
  BOOST_TEST(!well_formed(little(12345, 4) + little(0, 4)));
  BOOST_TEST(!well_formed(little(12346, 4) + little(0x10001, 4)));
  BOOST_TEST(!well_formed(little(12346, 4) + little(UINT32_MAX, 4) + bytes(1000, '\0')));
  const bytes sound = single(0, 3, shorts({1, 5, 9}));
  for (std::size_t size = 0; size < sound.size(); ++size) BOOST_TEST(!well_formed(sound.substr(0, size)));
}

BOOST_AUTO_TEST_SUITE_END()
