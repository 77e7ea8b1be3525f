// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "query/number_steps.hpp"

using tgmap::query::decimal;
using tgmap::query::number_steps;

BOOST_AUTO_TEST_SUITE(steps_of_numbers)

namespace {

/// Returns those of the numbers that are steps.
std::string contained(std::string_view first, std::string_view last, std::string_view step,
                      const std::vector<std::string>& numbers) {
  const auto steps = number_steps::make(first, last, step).value();
  std::string out;
  for (const std::string& each : numbers)
    if (steps.contains(each)) out += (out.empty() ? "" : " ") + each;
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(decimals_are_ordered_by_value) {
  const std::vector<std::string> ordered{"-1e20", "-12.5", "-12.25", "-1",  "-0.001", "0",   "0.0009",
                                         "0.001", "0.01",  "1",      "1.5", "9",      "10.", "18446744073709551616"};
  for (std::size_t i = 0; i < ordered.size(); ++i)
    for (std::size_t j = 0; j < ordered.size(); ++j)
      BOOST_TEST(((decimal::read(ordered[i]).value() <=> decimal::read(ordered[j]).value()) == (i <=> j)),
                 ordered[i] << " and " << ordered[j]);
  BOOST_TEST((decimal::read("-0.0").value() == decimal::read("0e5").value()));
  BOOST_TEST((decimal::read("006.50").value() == decimal::read("65e-1").value()));
  for (const char* text : {"", "x", "nan", "inf", "1e401", "1e99999999999", " 1"})
    BOOST_TEST(!decimal::read(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(integers) {
  BOOST_TEST(contained("0", "24", "6", {"-6", "0", "3", "6", "6.0", "6.5", "12", "18", "24", "30"}) ==
             "0 6 6.0 12 18 24");
  BOOST_TEST(contained("1", "10", "4", {"0", "1", "4", "5", "9", "10", "13"}) == "1 5 9");
  BOOST_TEST(contained("-10", "5", "7", {"-10", "-7", "-3", "0", "3", "4", "10"}) == "-10 -3 4");
  BOOST_TEST(contained("0", "1e6", "1e3", {"500", "1000", "999000", "1000000", "1001000"}) == "1000 999000 1000000");
  BOOST_TEST(contained("50", "2000", "100", {"0", "50", "100", "150", "1950", "2000"}) == "50 150 1950");
}

BOOST_AUTO_TEST_CASE(fractions_are_exact) {
  BOOST_TEST(contained("0", "1", "0.1", {"0.1", "0.3", "0.30000000000000004", "0.7", "0.70", "1", "1.1"}) ==
             "0.1 0.3 0.7 0.70 1");
  BOOST_TEST(contained("-1", "1", "0.25", {"-1", "-0.75", "-0.7", "0", "0.25", "0.3", "1"}) == "-1 -0.75 0 0.25 1");
  BOOST_TEST(contained("-0.5", "2", "1", {"-0.5", "0", "0.5", "1.5", "2"}) == "-0.5 0.5 1.5");
  BOOST_TEST(contained("0.05", "1", "0.1", {"0.05", "0.1", "0.15", "0.95", "1"}) == "0.05 0.15 0.95");
  BOOST_TEST(contained("-0.125", "1", "0.5", {"-0.125", "0.125", "0.375", "0.875"}) == "-0.125 0.375 0.875");
  BOOST_TEST(contained("0", "1", "1e-30", {"0.000000000000000000000000000001", "1e-31", "1"}) ==
             "0.000000000000000000000000000001 1");
}

BOOST_AUTO_TEST_CASE(a_negative_step_goes_down) {
  BOOST_TEST(contained("24", "0", "-6", {"30", "24", "18", "17", "0", "-6"}) == "24 18 0");
  BOOST_TEST(contained("10", "1", "-4", {"10", "6", "2", "1", "4"}) == "10 6 2");
  BOOST_TEST(contained("0", "24", "-6", {"0", "6", "24", "-6"}) == "");
  BOOST_TEST(contained("24", "0", "6", {"0", "6", "24"}) == "");
  BOOST_TEST(contained("5", "5", "-1", {"4", "5", "6"}) == "5");
}

BOOST_AUTO_TEST_CASE(any_number_of_steps) {
  BOOST_TEST(contained("0", "1e300", "1", {"18446744073709551615", "0.5", "1e299", "1e301"}) ==
             "18446744073709551615 1e299");
  BOOST_TEST(contained("1", "18446744073709551616", "3",
                       {"18446744073709551614", "18446744073709551615", "18446744073709551616"}) ==
             "18446744073709551616");
  BOOST_TEST(contained("0", "1e20", "999999999999999999", {"999999999999999999", "1999999999999999998", "1e18"}) ==
             "999999999999999999 1999999999999999998");
  BOOST_TEST(contained("0", "2", "1e-400", {"1", "1e-400", "1e-401"}) == "1 1e-400");
}

BOOST_AUTO_TEST_CASE(what_is_no_step) {
  for (const char* step : {"0", "0.0", "-0", "x", "", "inf", "1e401", "1234567890123456789", "1.000000000000000001"})
    BOOST_TEST(!number_steps::make("0", "24", step).has_value(), step);
  BOOST_TEST(!number_steps::make("0", "24", "0." + std::string(400, '0') + "1").has_value());
  BOOST_TEST(!number_steps::make("x", "24", "1").has_value());
  BOOST_TEST(!number_steps::make("0", "1e999", "1").has_value());
  BOOST_TEST(number_steps::make("0", "24", "1000000000000000000000000").has_value());
}

BOOST_AUTO_TEST_CASE(long_numbers_take_linear_time) {
  const std::string nines(1'000'000, '9');
  const auto steps = number_steps::make("-" + nines, nines, "7").value();
  BOOST_TEST(!steps.contains("0." + nines));
  BOOST_TEST(steps.contains("-" + nines));
}

BOOST_AUTO_TEST_SUITE_END()
