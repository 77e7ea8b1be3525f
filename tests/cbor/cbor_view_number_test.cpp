// SPDX-License-Identifier: Apache-2.0
// CBOR scalars are read as their own kind only.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <support/cbor.hpp>
#include <support/failures.hpp>
#include <tgmap/cbor_view.hpp>

using namespace tgmap_test;
using tgmap::cbor_kind;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(cbor_view_number_test)

namespace {

tgmap::cbor_view of(const bytes& data) { return tgmap::cbor_view(span_of(data)); }

}  // namespace

BOOST_AUTO_TEST_CASE(kinds_of_scalars) {
  const std::pair<bytes, cbor_kind> all[] = {
      {cbor::null(), cbor_kind::null},           {cbor::undefined(), cbor_kind::null},
      {cbor::boolean(true), cbor_kind::boolean}, {cbor::boolean(false), cbor_kind::boolean},
      {cbor::integer(0), cbor_kind::integer},    {cbor::integer(-1), cbor_kind::integer},
      {cbor::half(0), cbor_kind::floating},      {cbor::single(1), cbor_kind::floating},
      {cbor::real(1), cbor_kind::floating},      {cbor::text(""), cbor_kind::text},
      {cbor::blob(""), cbor_kind::bytes},        {cbor::array({}), cbor_kind::array},
      {cbor::map({}), cbor_kind::map},           {cbor::tag(1, cbor::null()), cbor_kind::tag}};
  for (const auto& [data, expected] : all) {
    BOOST_TEST(of(data).kind() == expected);
    BOOST_TEST(view_of(of(data).bytes()) == data);
    BOOST_TEST(!to_string_view(expected).empty());
  }
}

BOOST_AUTO_TEST_CASE(integers_in_every_width) {
  for (const std::uint64_t n :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{23}, std::uint64_t{24}, std::uint64_t{255}}) {
    for (const unsigned width : {1u, 2u, 4u, 8u}) {
      const bytes plus = cbor::wide_head(0, n, width), minus = cbor::wide_head(1, n, width);
      BOOST_TEST((of(plus).get<std::uint64_t>() == n));
      BOOST_TEST((of(plus).get<std::int64_t>() == static_cast<std::int64_t>(n)));
      BOOST_TEST((of(minus).get<std::int64_t>() == -1 - static_cast<std::int64_t>(n)));
    }
  }
  for (const std::int64_t n :
       {std::int64_t{65535}, std::int64_t{65536}, std::int64_t{1} << 32, std::numeric_limits<std::int64_t>::max(),
        std::int64_t{-24}, std::int64_t{-25}, std::int64_t{-257}, std::numeric_limits<std::int64_t>::min()}) {
    const bytes data = cbor::integer(n);
    BOOST_TEST((of(data).as<std::int64_t>() == n));
    BOOST_TEST(of(data).text() == std::to_string(n));
  }
}

BOOST_AUTO_TEST_CASE(integers_out_of_range_are_errors) {
  const bytes most = cbor::unsigned_integer(~std::uint64_t{0}), least = cbor::negative(~std::uint64_t{0}),
              below = cbor::negative(std::uint64_t{1} << 63), minus_one = cbor::integer(-1);
  BOOST_TEST((of(most).get<std::uint64_t>() == ~std::uint64_t{0}));
  BOOST_TEST(!of(most).get<std::int64_t>());
  BOOST_TEST(!of(least).get<std::int64_t>());
  BOOST_TEST(!of(least).get<std::uint64_t>());
  BOOST_TEST(!of(minus_one).get<std::uint64_t>());
  TGMAP_THROWS(of(most).as<std::int64_t>(), errc::value_out_of_range);
  TGMAP_THROWS(of(least).as<std::int64_t>(), errc::value_out_of_range);
  TGMAP_THROWS(of(below).as<std::int64_t>(), errc::value_out_of_range);
  TGMAP_THROWS(of(minus_one).as<std::uint64_t>(), errc::value_out_of_range);
  BOOST_TEST(of(most).text() == "18446744073709551615");
  BOOST_TEST(of(least).text() == "-18446744073709551616");
  BOOST_TEST(of(below).text() == "-9223372036854775809");
}

BOOST_AUTO_TEST_CASE(floats_in_every_width_and_from_integers) {
  for (const auto& data : {cbor::half(0x3800), cbor::single(0.5f), cbor::real(0.5)})
    BOOST_TEST((of(data).get<double>() == 0.5));
  const bytes smallest = cbor::half(0x0001), largest = cbor::half(0x7bff), ten = cbor::integer(10),
              minus = cbor::negative(~std::uint64_t{0});
  BOOST_TEST((of(smallest).get<double>() == std::ldexp(1, -24)));
  BOOST_TEST((of(largest).get<double>() == 65504.0));
  BOOST_TEST((of(ten).get<double>() == 10.0));
  BOOST_TEST((of(minus).get<double>() == -std::ldexp(1, 64)));
  const bytes nan = cbor::half(0x7e00), inf = cbor::half(0xfc00), zero = cbor::half(0x8000);
  BOOST_TEST(std::isnan(of(nan).as<double>()));
  BOOST_TEST(of(inf).as<double>() == -std::numeric_limits<double>::infinity());
  BOOST_TEST(std::signbit(of(zero).as<double>()));
}

BOOST_AUTO_TEST_CASE(other_kinds_are_not_converted) {
  const bytes one = cbor::integer(1), yes = cbor::boolean(true), text = cbor::text("1"), real = cbor::real(1),
              blob = cbor::blob("1");
  BOOST_TEST(!of(one).get<bool>());
  BOOST_TEST(!of(yes).get<std::int64_t>());
  BOOST_TEST(!of(text).get<std::int64_t>());
  BOOST_TEST(!of(real).get<std::int64_t>());
  BOOST_TEST(!of(real).get<std::uint64_t>());
  BOOST_TEST(!of(yes).get<double>());
  BOOST_TEST(!of(blob).get<std::string_view>());
  BOOST_TEST(!of(text).get<std::span<const std::byte>>());
  TGMAP_THROWS(of(one).as<bool>(), errc::wrong_kind);
  try {
    (void)of(text).as<double>();
  } catch (const tgmap::error& e) {
    BOOST_TEST(e.details().expected == static_cast<std::uint64_t>(cbor_kind::floating));
    BOOST_TEST(e.details().found == static_cast<std::uint64_t>(cbor_kind::text));
  }
}

BOOST_AUTO_TEST_CASE(scalars_as_text) {
  const std::pair<bytes, const char*> all[] = {
      {cbor::null(), "null"},   {cbor::boolean(true), "true"}, {cbor::boolean(false), "false"},
      {cbor::real(0.5), "0.5"}, {cbor::real(-2.25), "-2.25"},  {cbor::array({}), ""},
      {cbor::map({}), ""}};
  for (const auto& [data, text] : all) BOOST_TEST(of(data).text() == text);
}

BOOST_AUTO_TEST_CASE(floats_as_text_read_back_exactly) {
  for (const double d : {0.1, 1e300, 5e-324, 1.0 / 3, 123456789.125, -0.0}) {
    const bytes data = cbor::real(d);
    BOOST_TEST(std::strtod(of(data).text().c_str(), nullptr) == d);
  }
}

namespace {

template <class T>
void check_limits() {
  using limits = std::numeric_limits<T>;
  tgmap::failure why;
  for (const T n : {limits::min(), T{0}, T{1}, limits::max()}) {
    const bytes data = std::is_signed_v<T> ? cbor::integer(static_cast<std::int64_t>(n))
                                           : cbor::unsigned_integer(static_cast<std::uint64_t>(n));
    BOOST_TEST((of(data).get<T>() == n));
    BOOST_TEST((of(data).as<T>() == n));
    BOOST_TEST((of(data).get<T>(why) == n));
    BOOST_TEST(!why);
  }
  const auto above = static_cast<std::uint64_t>(limits::max());
  const bytes beyond[] = {
      above == UINT64_MAX ? cbor::integer(-1) : cbor::unsigned_integer(above + 1),
      std::is_signed_v<T> ? cbor::negative(above + 1) : cbor::integer(-1),
  };
  for (const bytes& data : beyond) {
    BOOST_TEST(!of(data).get<T>());
    BOOST_TEST(!of(data).get<T>(why));
    BOOST_TEST((why.code == errc::value_out_of_range));
    TGMAP_THROWS(of(data).as<T>(), errc::value_out_of_range);
  }
  const bytes other = cbor::real(1);
  BOOST_TEST(!of(other).get<T>(why));
  BOOST_TEST((why.code == errc::wrong_kind));
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_integer_type_has_its_range) {
  check_limits<signed char>();
  check_limits<unsigned char>();
  check_limits<short>();
  check_limits<unsigned short>();
  check_limits<int>();
  check_limits<unsigned>();
  check_limits<long>();
  check_limits<unsigned long>();
  check_limits<long long>();
  check_limits<unsigned long long>();
}

BOOST_AUTO_TEST_CASE(numbers_as_float) {
  constexpr float most = std::numeric_limits<float>::max();
  BOOST_TEST((of(cbor::real(0.1)).get<float>() == 0.1f));
  BOOST_TEST((of(cbor::integer(-3)).get<float>() == -3.0f));
  BOOST_TEST((of(cbor::real(most)).get<float>() == most));
  BOOST_TEST((of(cbor::real(0x1.fffffefffffffp127)).get<float>() == most));  // the last number that rounds down to it
  const auto infinity = std::numeric_limits<double>::infinity();
  BOOST_TEST((of(cbor::real(-infinity)).get<float>() == -std::numeric_limits<float>::infinity()));
  BOOST_TEST(std::isnan(*of(cbor::real(std::nan(""))).get<float>()));
  for (const double beyond : {0x1.ffffffp127, -0x1.ffffffp127, 1e300}) {
    const bytes data = cbor::real(beyond);
    tgmap::failure why;
    BOOST_TEST(!of(data).get<float>());
    BOOST_TEST(!of(data).get<float>(why));
    BOOST_TEST((why.code == errc::value_out_of_range));
  }
  TGMAP_THROWS(of(cbor::text("1")).as<float>(), errc::wrong_kind);
}

BOOST_AUTO_TEST_SUITE_END()
