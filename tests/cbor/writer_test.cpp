// SPDX-License-Identifier: Apache-2.0
// The writer's heads and floats: every half, every boundary, and the examples of RFC 8949.
#include "cbor/canonical/writer.hpp"

#include <cbor.h>

#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <support/cbor.hpp>
#include <tgmap/cbor_view.hpp>
#include <tgmap/dtype.hpp>

#include "appendix_a.hpp"
#include "cbor/canonical/canonical.hpp"
#include "cbor/floating.hpp"
#include "reference.hpp"

using namespace tgmap_test;
namespace inner = tgmap::cbor;

BOOST_AUTO_TEST_SUITE(writer_test)

namespace {

/// Returns what one call of the writer appends, in hexadecimal.
template <class Write>
bytes written(Write&& write) {
  std::vector<std::byte> out;
  inner::writer writer(out);
  write(writer);
  return to_hex(view_of(out));
}

bytes real(double number) {
  return written([&](auto& to) { to.real(number); });
}
bytes integer(std::uint64_t number) {
  return written([&](auto& to) { to.integer(number); });
}
bytes whole(std::int64_t number) {
  return written([&](auto& to) { to.integer(number); });
}

/// Returns the narrowest of the three widths that keeps the number, by converting back.
bytes narrowest(double number) {
  if (std::isnan(number)) return "f97e00";
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<double>(static_cast<float>(tgmap::float16{static_cast<std::uint16_t>(bits)}));
    if (std::bit_cast<std::uint64_t>(half) == std::bit_cast<std::uint64_t>(number))
      return to_hex(cbor::half(static_cast<std::uint16_t>(bits)));
  }
  const bool fits = std::isinf(number) || std::abs(number) <= std::numeric_limits<float>::max();
  if (fits && static_cast<double>(static_cast<float>(number)) == number)
    return to_hex(cbor::single(static_cast<float>(number)));
  return to_hex(cbor::real(number));
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_half_is_written_as_itself) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const tgmap::float16 half{static_cast<std::uint16_t>(bits)};
    const auto number = static_cast<double>(static_cast<float>(half));
    const bytes expected = to_hex(cbor::half(std::isnan(number) ? 0x7e00 : half.bits));
    BOOST_REQUIRE_EQUAL(real(number), expected);
    const auto narrow = inner::narrow_float(number, inner::half_format);
    BOOST_REQUIRE_EQUAL(narrow.has_value(), !std::isnan(number));
    if (narrow) BOOST_REQUIRE_EQUAL(*narrow, bits);
  }
}

BOOST_AUTO_TEST_CASE(libcbor_reads_every_half) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const auto number = static_cast<double>(static_cast<float>(tgmap::float16{static_cast<std::uint16_t>(bits)}));
    const bytes encoded = from_hex(real(number));
    cbor_load_result result{};
    cbor_item_t* item = cbor_load(reinterpret_cast<cbor_data>(encoded.data()), encoded.size(), &result);
    BOOST_REQUIRE(item != nullptr);
    const double back = cbor_float_get_float(item);
    cbor_decref(&item);
    BOOST_REQUIRE(std::isnan(number) ? std::isnan(back)
                                     : std::bit_cast<std::uint64_t>(back) == std::bit_cast<std::uint64_t>(number));
  }
}

BOOST_AUTO_TEST_CASE(numbers_next_to_halves_need_more_bytes) {
  for (unsigned bits = 0; bits < 0x7c00; ++bits) {
    const float number = static_cast<float>(tgmap::float16{static_cast<std::uint16_t>(bits)});
    const float above = std::nextafterf(number, INFINITY);
    BOOST_REQUIRE_EQUAL(real(above), to_hex(cbor::single(above)));
    BOOST_REQUIRE_EQUAL(real(-above), to_hex(cbor::single(-above)));
    const double just_above = std::nextafter(static_cast<double>(number), INFINITY);
    BOOST_REQUIRE_EQUAL(real(just_above), to_hex(cbor::real(just_above)));
  }
}

BOOST_AUTO_TEST_CASE(boundaries_of_every_width) {
  using single = std::numeric_limits<float>;
  using wide = std::numeric_limits<double>;
  const double edges[] = {0.0,
                          0x1p-25,
                          0x1p-24,
                          0x1p-23,
                          0x1.8p-24,
                          0x1.ff8p-15,
                          0x1.ffp-15,
                          0x1p-14,
                          65504.0,
                          65519.0,
                          65520.0,
                          65535.0,
                          65536.0,
                          131008.0,
                          1.0,
                          2048.0,
                          2049.0,
                          2050.0,
                          4097.0,
                          4098.0,
                          4100.0,
                          single::denorm_min(),
                          0x1p-150,
                          0x1.8p-149,
                          0x1.fffffcp-127,
                          0x1.fffffep-127,
                          0x1p-126,
                          single::min(),
                          single::max(),
                          0x1.ffffffp127,
                          0x1p128,
                          16777216.0,
                          16777217.0,
                          16777218.0,
                          wide::denorm_min(),
                          wide::min(),
                          wide::max(),
                          0.1,
                          1.0 / 3,
                          0.5,
                          10.0,
                          273.15,
                          wide::infinity()};
  for (const double edge : edges)
    for (const double number : {edge, -edge, std::nextafter(edge, 0), std::nextafter(edge, wide::infinity())})
      BOOST_TEST(real(number) == narrowest(number), number);
}

BOOST_AUTO_TEST_CASE(random_numbers_take_the_narrowest_width) {
  std::mt19937_64 random(7);
  for (unsigned round = 0; round < 300; ++round) {
    const std::uint64_t bits = random();
    const double any = std::bit_cast<double>(bits);
    const double narrow = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    const double few_bits = std::ldexp(static_cast<double>(random() % 4096), static_cast<int>(random() % 40) - 30);
    for (const double number : {any, narrow, few_bits}) BOOST_TEST(real(number) == narrowest(number), number);
  }
}

BOOST_AUTO_TEST_CASE(every_nan_is_the_canonical_one) {
  std::mt19937_64 random(8);
  for (unsigned round = 0; round < 2000; ++round) {
    const std::uint64_t bits = random() | 0x7ff0000000000000u;
    if ((bits & 0xfffffffffffffu) != 0) BOOST_TEST(real(std::bit_cast<double>(bits)) == "f97e00");
  }
  BOOST_TEST(real(std::numeric_limits<double>::signaling_NaN()) == "f97e00");
  BOOST_TEST(real(-std::numeric_limits<double>::quiet_NaN()) == "f97e00");
}

BOOST_AUTO_TEST_CASE(heads_are_the_shortest) {
  struct edge {
    std::uint64_t number;
    const char* hex;
  };
  const edge edges[] = {{0, "00"},
                        {23, "17"},
                        {24, "1818"},
                        {255, "18ff"},
                        {256, "190100"},
                        {65535, "19ffff"},
                        {65536, "1a00010000"},
                        {0xffffffff, "1affffffff"},
                        {0x100000000, "1b0000000100000000"},
                        {UINT64_MAX, "1bffffffffffffffff"}};
  for (const auto& [number, hex] : edges) {
    BOOST_TEST(integer(number) == hex);
    const auto with_major = [hex = from_hex(hex)](unsigned major) {
      bytes out = hex;
      out[0] = static_cast<char>(static_cast<unsigned char>(out[0]) | major << 5);
      return to_hex(out);
    };
    BOOST_TEST(written([&, n = number](auto& to) { to.negative(n); }) == with_major(1));
    BOOST_TEST(written([&, n = number](auto& to) { to.array(n); }) == with_major(4));
    BOOST_TEST(written([&, n = number](auto& to) { to.map(n); }) == with_major(5));
    BOOST_TEST(written([&, n = number](auto& to) { to.tag(n); }) == with_major(6));
    BOOST_TEST(inner::head_size(number) == bytes(hex).size() / 2);
  }
  for (const std::size_t size : {0u, 1u, 23u, 24u, 255u, 256u, 65535u, 65536u}) {
    const bytes contents(size, 'x');
    BOOST_TEST(written([&](auto& to) { to.text(contents); }) == to_hex(cbor::text(contents)));
    BOOST_TEST(written([&](auto& to) { to.bytes(span_of(contents)); }) == to_hex(cbor::blob(contents)));
  }
}

BOOST_AUTO_TEST_CASE(integers_of_either_sign) {
  for (const std::int64_t number : {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{-24},
                                    std::int64_t{-25}, std::int64_t{-256}, std::int64_t{-257}, INT64_MAX, INT64_MIN})
    BOOST_TEST(whole(number) == to_hex(cbor::integer(number)));
  BOOST_TEST(written([](auto& to) { to.negative(UINT64_MAX); }) == "3bffffffffffffffff");  // -2^64
}

BOOST_AUTO_TEST_CASE(pieces_are_written_in_order) {
  const bytes expected =
      cbor::map({cbor::key("a", cbor::integer(5)), cbor::key("b", cbor::text("x")), cbor::key("c", cbor::integer(-5)),
                 cbor::key("d", cbor::half(0x3800)), cbor::key("e", cbor::array({cbor::boolean(true), cbor::null()}))});
  BOOST_TEST(written([](auto& to) {
               to.map(5);
               to.pair("a", 5u);
               to.pair("b", "x");
               to.pair("c", -5);
               to.pair("d", 0.5);
               to.text("e");
               to.array(2);
               to.boolean(true);
               to.encoded(span_of(cbor::null()));
             }) == to_hex(expected));
}

BOOST_AUTO_TEST_CASE(scalars_of_the_rfc_are_written_back_in_their_shortest_form) {
  unsigned same = 0;
  for (const auto& [hex, allowed] : appendix_a) {
    const bytes data = from_hex(hex);
    const tgmap::cbor_view item(span_of(data));
    bytes again;
    if (item.kind() == tgmap::cbor_kind::floating)
      again = real(item.as<double>());
    else if (const auto number = item.get<std::uint64_t>())
      again = integer(*number);
    else if (const auto negative = item.get<std::int64_t>())
      again = whole(*negative);
    else
      continue;
    BOOST_TEST(inner::is_canonical(span_of(from_hex(again))));
    if (inner::is_canonical(span_of(data))) {
      BOOST_TEST(again == hex);
      ++same;
    } else {
      BOOST_TEST(again.size() < hex.size());
    }
  }
  BOOST_TEST(same > 20u);
}

BOOST_AUTO_TEST_CASE(keys_are_sorted_by_their_encoded_bytes) {
  const bytes keys[] = {"",
                        "a",
                        "b",
                        "z",
                        "\x7f",
                        "\xc3\xa4",
                        "aa",
                        "ab",
                        "b\xff",
                        bytes(23, 'z'),
                        bytes(24, 'a'),
                        bytes(255, 'z'),
                        bytes(256, 'a'),
                        bytes(256, '\xff')};
  for (const bytes& a : keys)
    for (const bytes& b : keys) {
      const bool before = inner::encoded_key_before(span_of(cbor::text(a)), span_of(cbor::text(b)));
      BOOST_TEST(inner::key_before(a, b) == before);
      BOOST_TEST(before == (cbor::text(a) < cbor::text(b)));
    }
}

BOOST_AUTO_TEST_SUITE_END()
