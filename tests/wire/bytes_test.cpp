// SPDX-License-Identifier: Apache-2.0
// Big-endian numbers and magics.
#include "wire/bytes.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <random>
#include <support/bytes.hpp>

using namespace tgmap_test;
using namespace tgmap::wire;

BOOST_AUTO_TEST_SUITE(bytes_test)

namespace {

constexpr std::array<std::byte, 10> ten{std::byte{0x01}, std::byte{0x23}, std::byte{0x45}, std::byte{0x67},
                                        std::byte{0x89}, std::byte{0xab}, std::byte{0xcd}, std::byte{0xef},
                                        std::byte{0x80}, std::byte{0xff}};

}  // namespace

static_assert(load_be<std::uint8_t>(ten, 9) == 0xff);
static_assert(load_be<std::uint16_t>(ten, 0) == 0x0123);
static_assert(load_be<std::uint16_t>(ten, 8) == 0x80ff);
static_assert(load_be<std::uint32_t>(ten, 4) == 0x89abcdef);
static_assert(load_be<std::uint64_t>(ten, 0) == 0x0123456789abcdef);
static_assert(load_be<std::uint64_t>(ten, 2) == 0x456789abcdef80ff);

static_assert(ascii("").empty());
static_assert(ascii("FR").size() == 2);
static_assert(ascii("FR")[0] == std::byte{0x46} && ascii("FR")[1] == std::byte{0x52});
static_assert(starts_with(ten, 8, std::array{std::byte{0x80}, std::byte{0xff}}));
static_assert(!starts_with(ten, 9, std::array{std::byte{0xff}, std::byte{0x00}}), "one byte short");

BOOST_AUTO_TEST_CASE(numbers_come_back_as_they_were_written) {
  std::mt19937_64 random(2);
  for (unsigned round = 0; round < 2000; ++round) {
    const std::uint64_t n = random() >> (random() % 64);
    const std::size_t at = random() % 5;
    const bytes data = bytes(at, '\xaa') + big_endian(n, 8) + "\xaa";
    BOOST_REQUIRE(load_be<std::uint64_t>(span_of(data), at) == n);
    BOOST_REQUIRE(load_be<std::uint32_t>(span_of(data), at + 4) == static_cast<std::uint32_t>(n));
    BOOST_REQUIRE(load_be<std::uint16_t>(span_of(data), at + 6) == static_cast<std::uint16_t>(n));
    BOOST_REQUIRE(load_be<std::uint8_t>(span_of(data), at + 7) == static_cast<std::uint8_t>(n));
  }
}

BOOST_AUTO_TEST_CASE(every_two_bytes_are_the_number_they_spell) {
  unsigned wrong = 0;
  for (unsigned n = 0; n < 65536; ++n) {
    const std::array<std::byte, 2> data{static_cast<std::byte>(n >> 8), static_cast<std::byte>(n & 255)};
    wrong += load_be<std::uint16_t>(data, 0) != n;
  }
  BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(a_magic_is_found_only_if_complete) {
  constexpr auto magic = ascii("ENDF");
  const bytes data = "xENDFENDx";
  for (std::size_t at = 0; at <= data.size() + 2; ++at)
    BOOST_TEST(starts_with(span_of(data), at, magic) == (at == 1), "at " << at);
  for (std::size_t size = 0; size < 5; ++size)
    BOOST_TEST(!starts_with(span_of(data).first(size), 1, magic), "of " << size);
  BOOST_TEST(starts_with(span_of(data).first(5), 1, magic));
}

BOOST_AUTO_TEST_CASE(each_byte_of_a_magic_counts) {
  constexpr auto magic = ascii("TENSOGRM");
  const bytes sound = "TENSOGRM";
  BOOST_TEST(starts_with(span_of(sound), 0, magic));
  for (std::size_t i = 0; i < sound.size(); ++i)
    for (unsigned bit = 0; bit < 8; ++bit) {
      bytes changed = sound;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      BOOST_TEST(!starts_with(span_of(changed), 0, magic));
    }
}

BOOST_AUTO_TEST_CASE(offsets_that_cannot_be_added_to_are_no_match) {
  const bytes data = "FR";
  BOOST_TEST(!starts_with(span_of(data), SIZE_MAX, ascii("FR")));
  BOOST_TEST(!starts_with(span_of(data), SIZE_MAX - 1, ascii("FR")));
}

BOOST_AUTO_TEST_SUITE_END()
