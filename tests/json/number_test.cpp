// SPDX-License-Identifier: Apache-2.0
#include "json/number.hpp"

#include <array>
#include <bit>
#include <boost/test/unit_test.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

using namespace tgmap::json_text;

BOOST_AUTO_TEST_SUITE(number_text)

namespace {

std::string text_of(double number, const float_notation& how) {
  std::array<char, max_float_size> buffer;
  return {buffer.data(), write_float(buffer.data(), number, how)};
}

std::string digits_in(std::string text) {
  text.resize(std::min(text.find_first_of("eE"), text.size()));
  std::erase_if(text, [](char c) { return c == '.' || c == '-'; });
  text.erase(0, text.find_first_not_of('0'));
  text.resize(text.find_last_not_of('0') + 1);
  return text;
}

struct expected {
  double number;
  const char *json, *reference, *plain, *java;
};

}  // namespace

BOOST_AUTO_TEST_CASE(each_notation_has_its_exponents_and_fractions) {
  const expected all[] = {
      {0, "0.0", "0.0", "0", "0.0"},
      {-0.0, "-0.0", "-0.0", "-0", "-0.0"},
      {1, "1.0", "1.0", "1", "1.0"},
      {-1.5, "-1.5", "-1.5", "-1.5", "-1.5"},
      {123.25, "123.25", "123.25", "123.25", "123.25"},
      {1234567, "1234567.0", "1234567.0", "1234567", "1234567.0"},
      {12345678, "12345678.0", "12345678.0", "12345678", "1.2345678E7"},
      {1e14, "100000000000000.0", "100000000000000.0", "100000000000000", "1.0E14"},
      {1e15, "1e+15", "1000000000000000.0", "1000000000000000", "1.0E15"},
      {1e16, "1e+16", "1e+16", "10000000000000000", "1.0E16"},
      {0.001, "0.001", "0.001", "0.001", "0.001"},
      {0.0001, "0.0001", "0.0001", "0.0001", "1.0E-4"},
      {0.00001, "1e-05", "0.00001", "0.00001", "1.0E-5"},
      {0.000001, "1e-06", "1e-6", "0.000001", "1.0E-6"},
      {1.25e-7, "1.25e-07", "1.25e-7", "0.000000125", "1.25E-7"},
      {2e-10, "2e-10", "2e-10", "0.0000000002", "2.0E-10"},
      {12345678901234567.0, "1.2345678901234568e+16", "1.2345678901234568e+16", "12345678901234568",
       "1.2345678901234568E16"},
      {1.5e100, "1.5e+100", "1.5e+100", nullptr, "1.5E100"},
      {5e-324, "5e-324", "5e-324", nullptr, "4.9E-324"},
      {1.7976931348623157e308, "1.7976931348623157e+308", "1.7976931348623157e+308", nullptr, "1.7976931348623157E308"},
  };
  for (const expected& each : all) {
    BOOST_TEST(text_of(each.number, json_notation) == each.json);
    BOOST_TEST(text_of(each.number, reference_notation) == each.reference);
    BOOST_TEST(text_of(each.number, java_notation) == each.java);
    if (each.plain != nullptr) BOOST_TEST(text_of(each.number, plain_notation) == each.plain);
  }
  BOOST_TEST(text_of(1e300, plain_notation) == "1" + std::string(300, '0'));
  BOOST_TEST(text_of(-5e-324, plain_notation) == "-0." + std::string(323, '0') + "5");
}

BOOST_AUTO_TEST_CASE(the_longest_texts_fit) {
  for (const double number : {-std::numeric_limits<double>::min(), -2.2250738585072011e-308, -1.2345678901234567e-300,
                              -std::numeric_limits<double>::max()})
    BOOST_TEST(text_of(number, plain_notation).size() <= 327U);
}

// The digits are compared with those of std::to_chars, the notation with that of nlohmann-json, whose digits are
// sometimes not the fewest.
BOOST_AUTO_TEST_CASE(any_number_has_the_fewest_digits_and_comes_back) {
  std::mt19937_64 random(7);
  std::size_t same = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto number = i % 2 == 0 ? std::bit_cast<double>(random())
                                   : static_cast<double>(static_cast<std::int64_t>(random() >> (random() % 60))) /
                                         std::pow(10.0, static_cast<double>(random() % 20));
    if (!std::isfinite(number)) continue;
    std::array<char, 32> shortest;
    const std::string fewest(
        shortest.data(),
        std::to_chars(shortest.data(), shortest.data() + shortest.size(), number, std::chars_format::scientific).ptr);
    for (const float_notation& how : {json_notation, reference_notation, plain_notation, java_notation}) {
      const std::string text = text_of(number, how);
      double back = 0;
      const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), back);
      BOOST_TEST_REQUIRE((problem == std::errc() && end == text.data() + text.size()));
      BOOST_TEST_REQUIRE(std::bit_cast<std::uint64_t>(back) == std::bit_cast<std::uint64_t>(number));
      if (!how.is_java) BOOST_TEST_REQUIRE(digits_in(text) == digits_in(fewest));
    }
    const std::string text = text_of(number, json_notation), other = nlohmann::json(number).dump();
    if (digits_in(other) == digits_in(text)) BOOST_TEST_REQUIRE(text == other);
    same += text == other ? 1 : 0;
  }
  BOOST_TEST(same > 19'000U);
}

BOOST_AUTO_TEST_SUITE_END()
