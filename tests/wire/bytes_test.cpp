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

BOOST_AUTO_TEST_CASE(stored_numbers_are_loaded_again) {
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

BOOST_AUTO_TEST_CASE(numbers_are_stored_in_big_endian_order) {
  std::array<std::byte, 10> out{};
  store_be<std::uint64_t>(out.data() + 1, 0x0102030405060708);
  for (std::size_t i = 0; i < 10; ++i) BOOST_TEST(static_cast<unsigned>(out[i]) == (i == 9 ? 0 : i));
  store_be<std::uint16_t>(out.data(), 0xfe01);
  BOOST_TEST(static_cast<unsigned>(out[0]) == 0xfeu);
  BOOST_TEST(static_cast<unsigned>(out[1]) == 1u);
  BOOST_TEST(static_cast<unsigned>(out[2]) == 2u);
}

BOOST_AUTO_TEST_CASE(every_two_bytes_are_loaded_as_their_number) {
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

BOOST_AUTO_TEST_CASE(overflowing_offsets_do_not_match) {
  const bytes data = "FR";
  BOOST_TEST(!starts_with(span_of(data), SIZE_MAX, ascii("FR")));
  BOOST_TEST(!starts_with(span_of(data), SIZE_MAX - 1, ascii("FR")));
}

BOOST_AUTO_TEST_CASE(bytes_are_equal_if_sizes_and_all_bytes_are) {
  const std::span<const std::byte> all(ten);
  std::array<std::byte, 10> other = ten;
  BOOST_TEST(equal(all, other));
  BOOST_TEST(equal(all.first(0), std::span<const std::byte>()));
  BOOST_TEST(!equal(all, all.first(9)));
  BOOST_TEST(!equal(all.first(0), all.first(1)));
  for (std::byte& each : other) {
    each ^= std::byte{1};
    BOOST_TEST(!equal(all, other));
    each ^= std::byte{1};
  }
}

BOOST_AUTO_TEST_SUITE_END()
