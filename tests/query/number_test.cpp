// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <support/cbor.hpp>
#include <vector>

#include "query/number.hpp"

using namespace tgmap_test;
using tgmap::query::compare;
using tgmap::query::number;
using tgmap::query::number_of;
using tgmap::query::read_number;

BOOST_AUTO_TEST_SUITE(numbers)

namespace {

number of(const bytes& item) { return number_of(tgmap::cbor_view(span_of(item))).value(); }

}  // namespace

BOOST_AUTO_TEST_CASE(text_that_is_a_number) {
  for (const char* text : {"0", "-0", "12", "-12", "0012", "1.5", "-.5", ".5", "5.", "1e3", "1E-3", "-1.5e+10",
                           "18446744073709551615", "18446744073709551616", "-99999999999999999999"})
    BOOST_TEST(read_number(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(text_that_is_no_number) {
  for (const char* text : {"",     "-",        ".",  "-.",  "+1",  " 1",  "1 ",         "1x",  "0x10", "nan",  "inf",
                           "-inf", "infinity", "1e", "1e+", "--1", "1-1", "2024-01-01", "1,5", "e5",   "1_000"})
    BOOST_TEST(!read_number(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(numbers_outside_the_range_of_double) {
  constexpr double largest = std::numeric_limits<double>::max(), smallest = std::numeric_limits<double>::denorm_min();
  const auto is_between = [](const number& low, const std::string& text, const number& high) {
    const number found = read_number(text).value();
    BOOST_TEST((compare(low, found) < 0 && compare(found, low) > 0), text);
    BOOST_TEST((compare(found, high) < 0 && compare(high, found) > 0), text);
    BOOST_TEST((compare(found, found) == 0), text);
  };
  for (const std::string text : {"1e400", "1e99999999999999999999", "0.001e999", "123e307", "1e+400"}) {
    is_between(number::of(largest), text, number::of(INFINITY));
    is_between(number::of(UINT64_MAX), text, number::of(INFINITY));
    is_between(number::of(-INFINITY), '-' + text, number::of(-largest));
  }
  for (const std::string text : {"1e-400", "0.1e-99999999999999999999", "100e-1000"}) {
    is_between(number::of(0.0), text, number::of(smallest));
    is_between(number::of(std::uint64_t{0}), text, number::of(std::uint64_t{1}));
    is_between(number::of(-smallest), '-' + text, number::of(-0.0));
    is_between(number::of(std::int64_t{-1}), '-' + text, number::of(std::uint64_t{0}));
  }
  for (const char* text : {"0e99999", "-0e99999", "0.0e-99999999999999999999", "0e99999999999999999999"})
    BOOST_TEST((compare(read_number(text).value(), number::of(std::uint64_t{0})) == 0), text);
}

BOOST_AUTO_TEST_CASE(digits_of_text_up_to_the_largest_exponent) {
  using tgmap::query::decimal_digits;
  BOOST_TEST(decimal_digits("-1.50e2") == "-150");
  BOOST_TEST(decimal_digits("1e400") == "1" + std::string(400, '0'));
  BOOST_TEST(decimal_digits("1e-400") == "0." + std::string(399, '0') + "1");
  BOOST_TEST(decimal_digits("1e401").empty());
  BOOST_TEST(decimal_digits("1e-401").empty());
}

BOOST_AUTO_TEST_CASE(order_of_all_pairs) {
  // Each number is less than the next one.
  const std::vector<number> ascending{number::of(-INFINITY),
                                      number::of(-1e300),
                                      of(cbor::negative(UINT64_MAX)),      // -2^64
                                      of(cbor::negative(UINT64_MAX - 1)),  // -2^64 + 1
                                      of(cbor::negative(std::uint64_t{1} << 63)),
                                      of(cbor::integer(std::numeric_limits<std::int64_t>::min())),
                                      of(cbor::integer(-2)),
                                      number::of(-1.5),
                                      of(cbor::integer(-1)),
                                      number::of(-0.25),
                                      of(cbor::integer(0)),
                                      number::of(5e-324),
                                      number::of(0.5),
                                      of(cbor::integer(1)),
                                      number::of(1.0000000000000002),
                                      number::of(9007199254740992.0),  // 2^53
                                      of(cbor::integer(9007199254740993)),
                                      number::of(9007199254740994.0),
                                      of(cbor::unsigned_integer(UINT64_MAX)),
                                      number::of(0x1p64),
                                      number::of(INFINITY)};
  for (std::size_t i = 0; i < ascending.size(); ++i)
    for (std::size_t j = 0; j < ascending.size(); ++j) {
      const auto found = compare(ascending[i], ascending[j]);
      BOOST_TEST((found == (i <=> j)), i << " with " << j);
    }
}

BOOST_AUTO_TEST_CASE(equal_values_of_different_types) {
  BOOST_TEST((compare(of(cbor::integer(1)), number::of(1.0)) == 0));
  BOOST_TEST((compare(number::of(-0.0), of(cbor::integer(0))) == 0));
  BOOST_TEST((compare(number::of(-0x1p64), of(cbor::negative(UINT64_MAX))) == 0));
  BOOST_TEST((compare(*read_number("-18446744073709551616"), of(cbor::negative(UINT64_MAX))) == 0));
  BOOST_TEST((compare(*read_number("-0"), of(cbor::integer(0))) == 0));
  BOOST_TEST((compare(number::of(-0x1p63), of(cbor::integer(std::numeric_limits<std::int64_t>::min()))) == 0));
}

BOOST_AUTO_TEST_CASE(nan_has_no_order) {
  for (const number& other : {number::of(0.0), number::of(std::nan("")), number::of(std::uint64_t{0})}) {
    BOOST_TEST((compare(number::of(std::nan("")), other) == std::partial_ordering::unordered));
    BOOST_TEST((compare(other, number::of(std::nan(""))) == std::partial_ordering::unordered));
  }
}

BOOST_AUTO_TEST_CASE(items_of_other_kinds) {
  for (const bytes& item : {cbor::text("1"), cbor::null(), cbor::boolean(true), cbor::numbers({1}), cbor::blob("1")})
    BOOST_TEST(!number_of(tgmap::cbor_view(span_of(item))).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
