// SPDX-License-Identifier: Apache-2.0
// Heads of items: all 256 first bytes, every width, every truncation.
#include "cbor/head.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <support/cbor.hpp>
#include <support/guarded.hpp>

using namespace tgmap_test;
using tgmap::cbor::head;
using tgmap::cbor::major;

BOOST_AUTO_TEST_SUITE(head_test)

namespace {

/// Reads a head; `used` is the number of bytes it took.
bool read(std::span<const std::byte> data, head& out, std::ptrdiff_t& used) {
  const std::byte* at = data.data();
  const bool sound = tgmap::cbor::read_head(at, data.data() + data.size(), out);
  used = at - data.data();
  return sound;
}

constexpr head constant_head() {
  constexpr std::array<std::byte, 3> data{std::byte{0x59}, std::byte{0x01}, std::byte{0x02}};
  const std::byte* at = data.data();
  head out;
  return tgmap::cbor::read_head(at, data.data() + data.size(), out) && at == data.data() + 3 ? out : head{};
}

/// Returns the number of argument bytes for additional information `info` by RFC 8949 §3; -1: not well-formed in any
/// major type.
int argument_bytes(unsigned info) {
  if (info < 24 || info == 31) return 0;
  return info < 28 ? 1 << (info - 24) : -1;
}

}  // namespace

static_assert(constant_head().major == major::bytes && constant_head().argument == 258);

BOOST_AUTO_TEST_CASE(every_head_needs_its_whole_argument) {
  guarded_bytes memory(9);
  for (unsigned first = 0; first < 256; ++first) {
    const unsigned type = first >> 5, info = first & 31;
    const int width = argument_bytes(info);
    const bool sound = width >= 0 && !(info == 31 && (type == 0 || type == 1 || type == 6));
    for (int size = 0; size <= 9; ++size) {
      bytes data = bytes(1, static_cast<char>(first)) + "\x81\x82\x83\x84\x85\x86\x87\x88";
      data.resize(static_cast<std::size_t>(size));
      head out;
      std::ptrdiff_t used = 0;
      const bool got = read(memory.hold(data), out, used);
      BOOST_REQUIRE_MESSAGE(got == (sound && size >= 1 + width), first << " in " << size << " bytes");
      if (!got) continue;
      BOOST_REQUIRE(static_cast<unsigned>(out.major) == type);
      BOOST_REQUIRE(out.info == info);
      BOOST_REQUIRE(used == 1 + width);
      const std::uint64_t expected = info < 24 ? info : width == 0 ? 0 : get(data, 1, static_cast<unsigned>(width));
      BOOST_REQUIRE(out.argument == expected);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_failed_read_keeps_the_position) {
  for (const bytes& data : {bytes("\x19\x01"), bytes("\x1c"), bytes("\xfe")}) {
    head out;
    std::ptrdiff_t used = -1;
    BOOST_TEST(!read(span_of(data), out, used));
    BOOST_TEST(used == 0);
  }
}

BOOST_AUTO_TEST_CASE(arguments_of_every_width_at_their_extremes) {
  for (const std::uint64_t n :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{24}, std::uint64_t{UINT8_MAX}, std::uint64_t{UINT16_MAX},
        std::uint64_t{UINT32_MAX}, std::uint64_t{INT64_MAX}, std::uint64_t{UINT64_MAX}})
    for (unsigned type = 0; type < 7; ++type)
      for (const unsigned width : {1u, 2u, 4u, 8u}) {
        if (width < 8 && n >> (8 * width) != 0) continue;
        const bytes data = cbor::wide_head(type, n, width);
        head out;
        std::ptrdiff_t used = 0;
        BOOST_TEST(read(span_of(data), out, used));
        BOOST_TEST(out.argument == n);
        BOOST_TEST(used == 1 + static_cast<int>(width));
        BOOST_TEST(!out.indefinite());
        BOOST_TEST(!out.is_break());
      }
}

BOOST_AUTO_TEST_CASE(indefinite_lengths_and_breaks_are_distinguished) {
  for (unsigned type = 0; type < 8; ++type) {
    const bytes data(1, static_cast<char>(type << 5 | 31));
    head out;
    std::ptrdiff_t used = 0;
    const bool got = read(span_of(data), out, used);
    BOOST_TEST(got == (type >= 2 && type != 6));
    if (!got) continue;
    BOOST_TEST(out.indefinite() == (type < 6));
    BOOST_TEST(out.is_break() == (type == 7));
  }
}

BOOST_AUTO_TEST_SUITE_END()
