// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/packing/integers.hpp"

#include <boost/test/unit_test.hpp>
#include <bridge/grib/packing/bit_text.hpp>
#include <random>

using namespace tgmap::bridge::grib;
using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(bridge_integers)

namespace {

std::vector<std::uint64_t> random_integers(std::size_t n, unsigned bits) {
  std::mt19937_64 next(bits);
  std::vector<std::uint64_t> out(n);
  for (auto& each : out) each = bits == 0 ? 0 : next() >> (64 - bits);
  return out;
}

template <class Integer>
void check_width(std::size_t n, unsigned bits, unsigned before) {
  const auto numbers = random_integers(n, bits);
  std::string digits(before, '1');
  for (const auto each : numbers) digits += binary(each, bits);
  const auto packed = bytes_of_binary(digits);
  std::vector<Integer> found(n, Integer{77});
  unpack_integers(packed, before, bits, std::span(found));
  BOOST_TEST(std::equal(numbers.begin(), numbers.end(), found.begin()), bits << " bits");
  if (before != 0) return;
  std::vector<std::byte> again(packed.size(), std::byte{0xff});
  pack_integers(std::span<const Integer>(found), bits, again);
  BOOST_TEST((again == packed), bits << " bits");
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_width_at_every_bit) {
  for (unsigned bits = 0; bits <= 64; ++bits)
    for (const std::size_t n : {0u, 1u, 3u, 8u, 77u})
      for (unsigned before = 0; before < 17; ++before) {
        check_width<std::uint64_t>(n, bits, before);
        if (bits <= 32) check_width<std::uint32_t>(n, bits, before);
        if (bits <= 16) check_width<std::uint16_t>(n, bits, before);
        if (bits <= 8) check_width<std::uint8_t>(n, bits, before);
      }
}

BOOST_AUTO_TEST_CASE(bits_past_the_end_are_zeros) {
  const auto packed = bytes_of_binary("10110111 1");
  std::vector<std::uint32_t> found(5, 9);
  unpack_integers(packed, 0, 6, std::span(found));
  BOOST_TEST((found == std::vector<std::uint32_t>{0b101101, 0b111000, 0, 0, 0}));
  unpack_integers(packed, UINT64_MAX - 100, 6, std::span(found));
  BOOST_TEST((found == std::vector<std::uint32_t>(5, 0)));
  for (const unsigned bits : {8u, 16u, 24u, 32u}) {
    unpack_integers({}, 0, bits, std::span(found));
    BOOST_TEST((found == std::vector<std::uint32_t>(5, 0)));
  }
}

BOOST_AUTO_TEST_CASE(sizes) {
  BOOST_TEST(packed_bytes(3, 12) == 5u);
  BOOST_TEST(packed_bytes(1, 1) == 1u);
  BOOST_TEST(packed_bytes(9, 0) == 0u);
  BOOST_TEST(packed_bytes(UINT64_MAX, 1) == UINT64_MAX);
  BOOST_TEST(packed_bytes(UINT64_MAX / 8, 64) == UINT64_MAX);
  BOOST_TEST(container_bytes(8) == 1u);
  BOOST_TEST(container_bytes(9) == 2u);
  BOOST_TEST(container_bytes(17) == 4u);
  BOOST_TEST(container_bytes(33) == 8u);
}

BOOST_AUTO_TEST_CASE(a_writer_of_mixed_widths) {
  std::mt19937_64 next(3);
  std::string digits;
  std::vector<std::byte> found(100 * 7 + 8);
  bit_writer to(found.data());
  for (unsigned i = 0; i < 100; ++i) {
    const auto bits = static_cast<unsigned>(next() % 57);
    const std::uint64_t number = next();
    to.put(number, bits);
    digits += binary(number, bits);
  }
  const auto expected = bytes_of_binary(digits);
  found.resize(expected.size());
  BOOST_TEST((found == expected));
}

BOOST_AUTO_TEST_SUITE_END()
