// SPDX-License-Identifier: Apache-2.0
#include "constant/json/cell_formatter.hpp"

#include <bit>
#include <boost/test/unit_test.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <support/rounds.hpp>
#include <tgmap/dtype.hpp>
#include <vector>

namespace constant = tgmap::constant;
using constant::number_style;
using tgmap::bfloat16;
using tgmap::dtype;

namespace {

template <class Cell>
std::string texts(const std::vector<Cell>& cells, number_style style = number_style::shortest) {
  const auto formatter = constant::json::number_formatter(tgmap::dtype_of<Cell>, style);
  std::string out(cells.size() * formatter.max_size, '#');
  const auto* const bytes = std::as_bytes(std::span(cells)).data();
  const char* const end = formatter.format(out.data(), bytes, cells.size());
  BOOST_REQUIRE(end <= out.data() + out.size());
  out.resize(static_cast<std::size_t>(end - out.data()));
  return out;
}
template <class Cell>
std::string text(Cell cell, number_style style = number_style::shortest) {
  return texts(std::vector<Cell>{cell}, style);
}
std::string java(double value) { return text(value, number_style::upstream); }

double number(const std::string& text) {
  double out = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), out);
  BOOST_REQUIRE(end == text.data() + text.size());
  BOOST_REQUIRE((wrong == std::errc() || wrong == std::errc::result_out_of_range));
  return out;
}

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }
/// Converts as upstream reads cells: to a double, then drops the lower bits.
std::uint16_t dropped(double value) { return static_cast<std::uint16_t>(bits(static_cast<float>(value)) >> 16); }
/// Rounds to the nearest cell. A tie gives the larger one, so that no text of a cell may be a tie.
std::uint16_t nearest(double value) {
  return static_cast<std::uint16_t>((bits(static_cast<float>(value)) + 0x8000) >> 16);
}

std::size_t digits_of(const std::string& text) {
  std::string digits;
  for (const char c : text.substr(0, text.find('e')))
    if (c >= '0' && c <= '9' && (c != '0' || !digits.empty())) digits += c;
  while (digits.size() > 1 && digits.back() == '0') digits.pop_back();
  return digits.size();
}

/// Returns the numbers with so many digits next to a value: the one at or above it, and the one below.
std::pair<double, double> around(double value, int digits) {
  char text[40];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, digits - 1).ptr;
  const double rounded = number(std::string(text, end));
  const double step = std::pow(10.0, std::floor(std::log10(value)) - (digits - 1));
  const auto again = [&](double near) {
    char other[40];
    return number(std::string(
        other, std::to_chars(other, other + sizeof other, near, std::chars_format::scientific, digits - 1).ptr));
  };
  return rounded >= value ? std::pair(rounded, again(rounded - step)) : std::pair(again(rounded + step), rounded);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cell_formatters)

BOOST_AUTO_TEST_CASE(the_fewest_digits_of_the_cell_type) {
  BOOST_TEST(text(0.1f) == "0.1");
  BOOST_TEST(text(0.1) == "0.1");
  BOOST_TEST(text(1 / 3.f) == "0.33333334");
  BOOST_TEST(text(1 / 3.) == "0.3333333333333333");
  BOOST_TEST(text(1.f) == "1");
  BOOST_TEST(text(-2.5) == "-2.5");
  BOOST_TEST(text(16777216.f) == "16777216");
  BOOST_TEST(text(1e10) == "1e+10");
  BOOST_TEST(text(1e-5f) == "1e-05");
  BOOST_TEST(text(std::numeric_limits<double>::max()) == "1.7976931348623157e+308");
  BOOST_TEST(text(-std::numeric_limits<double>::min()) == "-2.2250738585072014e-308");
  BOOST_TEST(text(std::numeric_limits<double>::denorm_min()) == "5e-324");
  BOOST_TEST(text(std::numeric_limits<float>::denorm_min()) == "1e-45");
  BOOST_TEST(text(std::numeric_limits<float>::max()) == "3.4028235e+38");
  BOOST_TEST(texts(std::vector<float>{1, -0.f, 2.5f}) == "1,-0.0,2.5");
  BOOST_TEST(texts(std::vector<float>{}).empty());
}

BOOST_AUTO_TEST_CASE(zeros_keep_their_sign) {
  for (const auto style : {number_style::shortest, number_style::upstream}) {
    const bool java_text = style == number_style::upstream;
    BOOST_TEST(text(-0.0, style) == "-0.0");
    BOOST_TEST(text(-0.f, style) == "-0.0");
    BOOST_TEST(text(bfloat16{0x8000}, style) == "-0.0");
    BOOST_TEST(text(0.0, style) == (java_text ? "0.0" : "0"));
    BOOST_TEST(text(0.f, style) == (java_text ? "0.0" : "0"));
    BOOST_TEST(text(bfloat16{0}, style) == (java_text ? "0.0" : "0"));
    BOOST_TEST(text(std::int8_t{0}, style) == "0");
  }
}

BOOST_AUTO_TEST_CASE(nan_and_infinities_are_words_or_null) {
  const auto words = []<class Cell>(Cell infinity, Cell minus_infinity, Cell nan, Cell minus_nan) {
    const std::vector<Cell> all{infinity, minus_infinity, nan, minus_nan};
    BOOST_TEST(texts(all) == R"("Infinity","-Infinity","NaN","-NaN")");
    BOOST_TEST(texts(all, number_style::upstream) == "null,null,null,null");
  };
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  words(infinity, -infinity, nan, -nan);
  const auto narrow = std::numeric_limits<float>::infinity(), no_number = std::numeric_limits<float>::quiet_NaN();
  words(narrow, -narrow, no_number, -no_number);
  words(bfloat16{0x7f80}, bfloat16{0xff80}, bfloat16{0x7fc0}, bfloat16{0xffc0});
  words(bfloat16{0x7f80}, bfloat16{0xff80}, bfloat16{0x7f81}, bfloat16{0xffff});
}

BOOST_AUTO_TEST_CASE(every_int8_is_an_integer) {
  for (int i = -128; i < 128; ++i)
    for (const auto style : {number_style::shortest, number_style::upstream})
      BOOST_TEST(text(static_cast<std::int8_t>(i), style) == std::to_string(i));
}

BOOST_AUTO_TEST_CASE(every_bfloat16_reads_back_whether_bits_are_dropped_or_rounded) {
  std::size_t max_digits = 0;
  for (std::uint32_t i = 0; i < 0x10000; i += tgmap_test::stride(7)) {
    const bfloat16 cell{static_cast<std::uint16_t>(i)};
    if (!std::isfinite(static_cast<float>(cell))) continue;
    const std::string decimal = text(cell);
    const double read = number(decimal);
    BOOST_REQUIRE_MESSAGE(dropped(read) == i && nearest(read) == i, decimal + " of " + std::to_string(i));
    max_digits = std::max(max_digits, digits_of(decimal));
    // Vespa writes the double itself.
    BOOST_REQUIRE(bits(number(text(cell, number_style::upstream))) ==
                  bits(static_cast<double>(static_cast<float>(cell))));
  }
  BOOST_TEST(max_digits == 4u);
  BOOST_TEST(text(bfloat16{0x3dcc}) == "0.0997");
  BOOST_TEST(text(bfloat16{0x3f80}) == "1");
  BOOST_TEST(text(bfloat16{0x4049}) == "3.141");
  BOOST_TEST(text(bfloat16{0x7f7f}) == "3.39e+38");
  BOOST_TEST(text(bfloat16{0x0001}) == "1e-40");
}

BOOST_AUTO_TEST_CASE(no_bfloat16_has_a_shorter_text) {
  for (std::uint32_t i = 1; i < 0x7f80; i += tgmap_test::stride(7)) {
    const bfloat16 cell{static_cast<std::uint16_t>(i)};
    const double exact = static_cast<float>(cell);
    const auto fewer = static_cast<int>(digits_of(text(cell))) - 1;
    for (int digits = 1; digits <= fewer; ++digits) {
      const auto [above, below] = around(exact, digits);
      for (const double each : {above, below})
        BOOST_REQUIRE_MESSAGE(dropped(each) != i || nearest(each) != i,
                              text(cell) + " could be " + std::to_string(each));
    }
  }
}

BOOST_AUTO_TEST_CASE(floats_are_read_back_through_double) {
  // The shortest text of this float alone gives another float if it is read as a double first. So it has one digit
  // more.
  const auto twice = std::bit_cast<float>(std::uint32_t{0x15ae43fd});
  BOOST_TEST(text(twice) == "7.0385307e-26");
  BOOST_TEST(text(-twice) == "-7.0385307e-26");
  BOOST_TEST(bits(static_cast<float>(number("7.038531e-26"))) != bits(twice));
  const auto check = [](std::uint32_t pattern) {
    const auto value = std::bit_cast<float>(pattern);
    if (!std::isfinite(value)) return;
    const std::string decimal = text(value);
    BOOST_REQUIRE_MESSAGE(bits(static_cast<float>(number(decimal))) == pattern, decimal);
    const double wide = value;
    BOOST_REQUIRE(bits(number(text(value, number_style::upstream))) == bits(wide));
  };
  for (std::uint32_t near : {0u, 0x15ae43fdu, 0x00800000u, 0x3f800000u, 0x7f800000u, 0x80000000u, 0xff800000u})
    for (std::uint32_t i = 0; i < 100; ++i) check(near - 50 + i);
  std::mt19937 random(11);
  for (int i = 0; i < tgmap_test::rounds(200'000); ++i) check(static_cast<std::uint32_t>(random()));
}

BOOST_AUTO_TEST_CASE(doubles_are_read_back) {
  std::mt19937_64 random(12);
  const auto check = [](double value) {
    if (!std::isfinite(value)) return;
    for (const auto style : {number_style::shortest, number_style::upstream}) {
      const std::string decimal = text(value, style);
      BOOST_REQUIRE_MESSAGE(bits(number(decimal)) == bits(value), decimal);
    }
  };
  for (int i = 0; i < tgmap_test::rounds(200'000); ++i) check(std::bit_cast<double>(random()));
  for (std::uint64_t i = 0; i < 2000; ++i) check(std::bit_cast<double>(i));  // denormals
  for (int i = -1074; i < 1024; ++i) {
    const double power = std::ldexp(1.0, i);
    check(power);
    check(std::nextafter(power, 0));
    check(-std::nextafter(power, 2 * power));
  }
}

BOOST_AUTO_TEST_CASE(no_integer_is_too_long_for_vespa) {
  // Its parser reads a number without point and exponent as a 64-bit integer, and fails if that is too small.
  for (const double value :
       {9007199254740993., 123456789012345678., 999999999999999999., 1e18, 9223372036854775807., 1234567890123456789.,
        12345678901234567890., 123456789012345678901., 1.2345678901234567e22}) {
    for (const std::string& decimal : {text(value), text(-value)}) {
      BOOST_TEST(std::abs(number(decimal)) == value);
      if (decimal.find_first_of(".e") == std::string::npos) {
        std::int64_t whole = 0;
        BOOST_TEST((std::from_chars(decimal.data(), decimal.data() + decimal.size(), whole).ec == std::errc()),
                   decimal);
      }
    }
  }
  BOOST_TEST(text(12345678901234567890.) == "1.2345678901234567e+19");
}

BOOST_AUTO_TEST_CASE(doubles_as_java_formats_them) {
  const std::pair<double, const char*> all[] = {
      {1, "1.0"},
      {-1, "-1.0"},
      {0.1, "0.1"},
      {0.001, "0.001"},
      {0.00123, "0.00123"},
      {0.0009999, "9.999E-4"},
      {0.0001, "1.0E-4"},
      {2e-3, "0.002"},
      {0.25, "0.25"},
      {10, "10.0"},
      {100.5, "100.5"},
      {1234567, "1234567.0"},
      {123456.789, "123456.789"},
      {9999999, "9999999.0"},
      {9999999.999, "9999999.999"},
      {1e7, "1.0E7"},
      {12345678, "1.2345678E7"},
      {1e10, "1.0E10"},
      {-1.5e10, "-1.5E10"},
      {1e-300, "1.0E-300"},
      {2e23, "2.0E23"},  // earlier versions: 2.0000000000000003E23
      {1e23, "1.0E23"},
      {static_cast<double>(0.1f), "0.10000000149011612"},
      {1.7976931348623157e308, "1.7976931348623157E308"},
      {2.2250738585072014e-308, "2.2250738585072014E-308"},
      {4.9e-324, "4.9E-324"},  // the nearest with two digits, although one is enough
      {9.9e-324, "9.9E-324"},
      {1.5e-323, "1.5E-323"},
      {2e-323, "2.0E-323"},
      {9007199254740992., "9.007199254740992E15"},
  };
  for (const auto& [value, decimal] : all) BOOST_TEST(java(value) == decimal);
  BOOST_TEST(text(0.1f, number_style::upstream) == "0.10000000149011612");
  BOOST_TEST(text(bfloat16{0x3dcc}, number_style::upstream) == "0.099609375");
}

BOOST_AUTO_TEST_CASE(hexadecimal_digits_are_bits) {
  const auto hex = []<class Cell>(const std::vector<Cell>& cells) {
    const auto formatter = constant::json::hex_formatter(tgmap::dtype_of<Cell>);
    std::string out(cells.size() * formatter.max_size, '#');
    const char* const end = formatter.format(out.data(), std::as_bytes(std::span(cells)).data(), cells.size());
    BOOST_TEST((end == out.data() + out.size()));
    return out;
  };
  BOOST_TEST(hex(std::vector<double>{1, -0.0}) == "3FF00000000000008000000000000000");
  BOOST_TEST(hex(std::vector<float>{0.1f, -2.5f}) == "3DCCCCCDC0200000");
  BOOST_TEST(hex(std::vector<bfloat16>{{0x3f80}, {0xffff}, {0x0001}}) == "3F80FFFF0001");
  BOOST_TEST(hex(std::vector<std::int8_t>{-1, 0, 17, -128, 34, -2}) == "FF00118022FE");
  std::vector<std::int8_t> every(256);
  for (std::size_t i = 0; i < every.size(); ++i) every[i] = static_cast<std::int8_t>(i);
  const std::string all = hex(every);
  for (std::size_t i = 0; i < every.size(); ++i) BOOST_TEST(std::stoul(all.substr(2 * i, 2), nullptr, 16) == i);
}

BOOST_AUTO_TEST_SUITE_END()
