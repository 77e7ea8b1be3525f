// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <complex>
#include <limits>
#include <optional>
#include <vector>

#include "decode/conversion.hpp"
#include "decode/narrow_float.hpp"

using namespace tgmap;
using namespace tgmap::decode;

// Conversion of elements: the same number, the nearest one, or an error that names the element.

BOOST_AUTO_TEST_SUITE(conversion_test)

namespace {

template <class To, class From>
std::optional<To> converted(From from) {
  To to{};
  const failure why = convert(std::as_bytes(std::span(&from, 1)), dtype_of<From>,
                              std::as_writable_bytes(std::span(&to, 1)), dtype_of<To>, 1);
  if (!why) return to;
  BOOST_TEST((why.code == errc::not_representable));
  return std::nullopt;
}

/// Converts every value of a small integer type to another one. Fails exactly if the number is different.
template <class From, class To>
void check_integers() {
  for (int i = std::numeric_limits<From>::min(); i <= std::numeric_limits<From>::max(); ++i) {
    const auto out = converted<To>(static_cast<From>(i));
    BOOST_TEST_REQUIRE(out.has_value() == std::in_range<To>(i));
    if (out) BOOST_TEST_REQUIRE(static_cast<std::int64_t>(*out) == i);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(integers_as_integers) {
  check_integers<std::int8_t, std::uint8_t>();
  check_integers<std::uint8_t, std::int8_t>();
  check_integers<std::int16_t, std::uint64_t>();
  check_integers<std::uint16_t, std::int16_t>();
  BOOST_TEST((converted<std::int64_t>(std::uint64_t{INT64_MAX}) == INT64_MAX));
  BOOST_TEST(!converted<std::int64_t>(std::uint64_t{INT64_MAX} + 1));
  BOOST_TEST(!converted<std::uint64_t>(std::int64_t{-1}));
}

BOOST_AUTO_TEST_CASE(floats_as_integers_are_whole_and_in_range) {
  BOOST_TEST((converted<std::uint8_t>(255.0) == 255));
  BOOST_TEST(!converted<std::uint8_t>(256.0));
  BOOST_TEST(!converted<std::uint8_t>(1.5));
  BOOST_TEST(!converted<std::uint8_t>(-1.0f));
  BOOST_TEST((converted<std::uint8_t>(-0.0) == 0));
  BOOST_TEST(!converted<std::int32_t>(std::nan("")));
  BOOST_TEST(!converted<std::int32_t>(INFINITY));
  BOOST_TEST((converted<std::int64_t>(-0x1p63) == INT64_MIN));
  BOOST_TEST(!converted<std::int64_t>(0x1p63));
  BOOST_TEST((converted<std::uint64_t>(0x1.fffffffffffffp63) == 0xfffffffffffff800u));
  BOOST_TEST(!converted<std::uint64_t>(0x1p64));
  BOOST_TEST((converted<std::int8_t>(float16{0xd800}) == -128));
}

BOOST_AUTO_TEST_CASE(narrower_floats_are_rounded_once) {
  BOOST_TEST((*converted<float>(0.1) == 0.1f));
  BOOST_TEST(!converted<float>(1e39));
  BOOST_TEST(std::isinf(*converted<float>(-double{INFINITY})));
  BOOST_TEST(std::isnan(*converted<float>(std::nan(""))));
  BOOST_TEST((converted<float16>(65504.0)->bits == 0x7bff));
  BOOST_TEST(!converted<float16>(65520.0f));
  BOOST_TEST((*converted<float>((std::uint64_t{1} << 63) + (std::uint64_t{1} << 39) + 1) == 0x1.000002p63f));
  // One more than half a step. Rounding to double first would give half a step, which is then rounded down.
  BOOST_TEST((converted<bfloat16>((std::uint64_t{1} << 63) + (std::uint64_t{1} << 55) + 1)->bits == 0x5f01));
  BOOST_TEST((converted<bfloat16>((std::uint64_t{1} << 63) + (std::uint64_t{1} << 55))->bits == 0x5f00));
  BOOST_TEST((converted<bfloat16>(-(std::int64_t{1} << 62) - (std::int64_t{1} << 54) - 1)->bits == 0xde81));
}

BOOST_AUTO_TEST_CASE(complex_numbers_are_real_only_without_an_imaginary_part) {
  BOOST_TEST((*converted<double>(std::complex<float>(1.5f, 0)) == 1.5));
  BOOST_TEST(!converted<double>(std::complex<float>(1.5f, 1)));
  BOOST_TEST(!converted<double>(std::complex<double>(1, std::nan(""))));
  BOOST_TEST((*converted<std::complex<float>>(std::int8_t{-3}) == std::complex<float>(-3, 0)));
  BOOST_TEST(!converted<std::complex<float>>(std::complex<double>(0, 1e39)));
}

BOOST_AUTO_TEST_CASE(bits_are_zeros_and_ones) {
  const std::vector<std::uint8_t> bits{0b10110000, 0b01000000};
  std::vector<std::int32_t> out(10, -1);
  BOOST_TEST(!convert(std::as_bytes(std::span(bits)), dtype::bitmask, std::as_writable_bytes(std::span(out)),
                      dtype::int32, 10));
  BOOST_TEST((out == std::vector<std::int32_t>{1, 0, 1, 1, 0, 0, 0, 0, 0, 1}));
  std::vector<std::uint8_t> back(2, 0xff);
  BOOST_TEST(!convert(std::as_bytes(std::span(out)), dtype::int32, std::as_writable_bytes(std::span(back)),
                      dtype::bitmask, 10));
  BOOST_TEST((back == bits));
  out[7] = 2;
  const failure why =
      convert(std::as_bytes(std::span(out)), dtype::int32, std::as_writable_bytes(std::span(back)), dtype::bitmask, 10);
  BOOST_TEST((why.code == errc::not_representable));
  BOOST_TEST(why.found == 7u);
}

BOOST_AUTO_TEST_CASE(error_names_the_element) {
  std::vector<double> from(5000, 1.0);
  from[4321] = 0.5;
  std::vector<std::uint16_t> to(5000);
  const failure why = convert(std::as_bytes(std::span(from)), dtype::float64, std::as_writable_bytes(std::span(to)),
                              dtype::uint16, 5000);
  BOOST_TEST((why.code == errc::not_representable));
  BOOST_TEST(why.found == 4321u);
  BOOST_TEST(to[4320] == 1);
}

BOOST_AUTO_TEST_SUITE_END()

// Floats of 16 bits are restored, and numbers in between are rounded to the nearest.

BOOST_AUTO_TEST_SUITE(narrow_test)

namespace {

/// Tests `narrow` with every float of a type, and with the numbers halfway to the next one.
template <class Half, class Narrow>
void check_every(Narrow&& narrowed, std::uint16_t infinity) {
  const auto wide = [](unsigned bits) {
    return static_cast<double>(static_cast<float>(Half{static_cast<std::uint16_t>(bits)}));
  };
  std::size_t wrong = 0;
  for (const unsigned sign : {0u, 0x8000u})
    for (unsigned bits = 0; bits < infinity; ++bits) {
      const double number = wide(sign | bits);
      const auto same = narrowed(number);
      wrong += !same || same->bits != (sign | bits);
      if (bits + 1u == infinity) break;
      const double next = wide(sign | (bits + 1)), between = number / 2 + next / 2;
      const unsigned even = bits % 2 == 0 ? bits : bits + 1;
      wrong += narrowed(between)->bits != (sign | even);
      wrong += narrowed(std::nextafter(between, number))->bits != (sign | bits);
      wrong += narrowed(std::nextafter(between, next))->bits != (sign | (bits + 1));
    }
  BOOST_TEST(wrong == 0u);

  const double most = wide(infinity - 1u), step = most - wide(infinity - 2u);
  BOOST_TEST(!narrowed(most + step / 2));
  BOOST_TEST(!narrowed(-most - step));
  BOOST_TEST(!narrowed(1e300));
  BOOST_TEST(narrowed(std::nextafter(most + step / 2, 0))->bits == infinity - 1u);
  BOOST_TEST(narrowed(INFINITY)->bits == infinity);
  BOOST_TEST(narrowed(-INFINITY)->bits == (infinity | 0x8000u));
  BOOST_TEST(std::isnan(wide(narrowed(std::nan(""))->bits)));
  BOOST_TEST(narrowed(5e-324)->bits == 0u);
  BOOST_TEST(narrowed(-5e-324)->bits == 0x8000u);
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_of_float16) { check_every<tgmap::float16>(to_float16, 0x7c00); }

BOOST_AUTO_TEST_CASE(all_of_bfloat16) { check_every<tgmap::bfloat16>(to_bfloat16, 0x7f80); }

BOOST_AUTO_TEST_SUITE_END()
