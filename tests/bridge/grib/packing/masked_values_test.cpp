// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/packing/masked_values.hpp"

#include <boost/test/unit_test.hpp>
#include <bridge/grib/packing/bit_text.hpp>
#include <random>

using namespace tgmap::bridge::grib;
using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(bridge_masked_values)

namespace {

/// Returns `n` digits: runs of zeros and ones of lengths up to `longest`.
std::string random_runs(std::size_t n, unsigned longest, unsigned seed) {
  std::mt19937 next(seed);
  std::string out;
  for (char digit = next() % 2 == 0 ? '0' : '1'; out.size() < n; digit = digit == '0' ? '1' : '0')
    out.append(1 + next() % longest, digit);
  out.resize(n);
  return out;
}

std::vector<std::string> bitmaps() {
  std::vector<std::string> out{
      "", "0", "1", "01", "10110", std::string(64, '1'), std::string(200, '0'), std::string(129, '1')};
  for (unsigned seed = 0; seed < 40; ++seed) out.push_back(random_runs(1 + seed * 17, 1 + seed % 9 * 20, seed));
  return out;
}

template <class Integer>
void check_places(const std::string& digits) {
  const auto bits = bytes_of_binary(digits);
  std::vector<Integer> values, expected;
  for (const char each : digits)
    if (each == '1') values.push_back(static_cast<Integer>(100 + values.size()));
  Integer before = values.empty() ? Integer{0} : values.front();
  std::size_t used = 0;
  for (const char each : digits) expected.push_back(before = each == '1' ? values[used++] : before);
  std::vector<Integer> found(digits.size(), Integer{7});
  scatter_values(std::span<const Integer>(values), bits, std::span(found));
  BOOST_TEST((found == expected), digits);
  std::vector<Integer> again(values.size());
  gather_values(std::span<const Integer>(found), bits, std::span(again));
  BOOST_TEST((again == values), digits);
}

/// Decodes runs as §6.2 of the format has them: the value of the first run, then lengths in LEB128.
std::string decoded_runs(byte_view blob) {
  std::string out;
  char digit = std::to_integer<int>(blob[0]) == 1 ? '1' : '0';
  for (std::size_t at = 1; at < blob.size(); ++at) {
    std::size_t length = 0;
    for (unsigned shift = 0;; shift += 7, ++at) {
      length |= (std::to_integer<std::size_t>(blob[at]) & 0x7f) << shift;
      if ((std::to_integer<unsigned>(blob[at]) & 0x80) == 0) break;
    }
    out.append(length, digit);
    digit = digit == '0' ? '1' : '0';
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(values_go_to_the_points_that_have_one) {
  for (const auto& digits : bitmaps()) {
    check_places<std::uint8_t>(digits);
    check_places<std::uint16_t>(digits);
    check_places<std::uint32_t>(digits);
    check_places<std::uint64_t>(digits);
    BOOST_TEST(count_set_bits(bytes_of_binary(digits), digits.size()) ==
               static_cast<std::uint64_t>(std::count(digits.begin(), digits.end(), '1')));
  }
}

BOOST_AUTO_TEST_CASE(elements_go_to_their_points) {
  const auto bits = bytes_of_binary("0110 1");
  const auto values = bytes_of_binary(binary(0x11223344, 32) + binary(0x55667788, 32) + binary(0x99aabbcc, 32));
  std::vector<std::byte> found(20, std::byte{1});
  scatter_elements(values, 4, bits, 5, found);
  BOOST_TEST((found == bytes_of_binary(binary(0, 32) + binary(0x11223344, 32) + binary(0x55667788, 32) + binary(0, 32) +
                                       binary(0x99aabbcc, 32))));
  std::vector<std::byte> again(12);
  gather_elements(found, 4, bits, 5, again);
  BOOST_TEST((again == values));
}

// The bits of a mapping may change after they were counted.
BOOST_AUTO_TEST_CASE(more_bits_than_values) {
  const auto bits = bytes_of_binary("1111 1111 1");
  const std::vector<std::uint16_t> values{5, 6};
  std::vector<std::uint16_t> found(9, 7);
  scatter_values(std::span<const std::uint16_t>(values), bits, std::span(found));
  BOOST_TEST((found == std::vector<std::uint16_t>{5, 6, 6, 6, 6, 6, 6, 6, 6}));
  std::vector<std::uint16_t> room(3);
  gather_values(std::span<const std::uint16_t>(found), bits, std::span(room));
  BOOST_TEST((room == std::vector<std::uint16_t>{5, 6, 6}));
  std::vector<std::byte> bytes(36), few(8, std::byte{3});
  scatter_elements(few, 4, bits, 9, bytes);
  BOOST_TEST((bytes[7] == std::byte{3} && bytes[8] == std::byte{0}));
  gather_elements(bytes, 4, bits, 9, std::span(few).first(4));
}

BOOST_AUTO_TEST_CASE(masks_have_the_other_bits) {
  std::size_t runs = 0;
  for (const auto& digits : bitmaps()) {
    byte_buffer memory;
    tgmap::failure why;
    // A bitmap may have ones after its last bit.
    auto bits = bytes_of_binary(digits);
    if (digits.size() % 8 != 0) bits.back() |= static_cast<std::byte>(0xff >> digits.size() % 8);
    const auto mask = encode_mask(bits, digits.size(), memory, why);
    BOOST_TEST_REQUIRE(!why);
    std::string opposite = digits;
    for (char& each : opposite) each = each == '0' ? '1' : '0';
    if (mask.method == "rle") {
      ++runs;
      BOOST_TEST(decoded_runs(mask.bytes) == opposite);
      BOOST_TEST(mask.bytes.size() <= bits.size() / 2);
    } else {
      const auto expected = bytes_of_binary(opposite);
      BOOST_TEST(mask.method == "none");
      BOOST_TEST(std::equal(expected.begin(), expected.end(), mask.bytes.begin(), mask.bytes.end()));
    }
  }
  BOOST_TEST(runs > 5u);
}

BOOST_AUTO_TEST_SUITE_END()
