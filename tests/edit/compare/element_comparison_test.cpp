// SPDX-License-Identifier: Apache-2.0
#include "edit/compare/element_comparison.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <support/builder.hpp>
#include <tgmap/archive.hpp>
#include <tgmap/dtype.hpp>

using namespace tgmap_test;
using tgmap::cli::compare_values;
using tgmap::cli::tolerance;
using tgmap::cli::value_difference;

BOOST_AUTO_TEST_SUITE(values_compared)

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();

tgmap::tensor decoded(const object_spec& object) {
  const bytes data = message({.objects = {object}});
  const auto archive = tgmap::archive::from_memory(span_of(data));
  tgmap::tensor out;
  archive[0][0].decode_into(out);
  return out;
}

std::optional<value_difference> compared(const object_spec& left, const object_spec& right,
                                         const tolerance& within = {}) {
  return compare_values(decoded(left), decoded(right), within);
}

template <class T>
std::optional<value_difference> compared(const char* dtype, T left, T right, const tolerance& within = {}) {
  return compared(numbers_object<T>(dtype, {T{}, left}), numbers_object<T>(dtype, {T{}, right}), within);
}

bool equal(double left, double right, const tolerance& within = {}) {
  return !compared("float64", left, right, within).has_value();
}

}  // namespace

BOOST_AUTO_TEST_CASE(equal_is_what_is_the_same_number) {
  BOOST_TEST(equal(1.5, 1.5));
  BOOST_TEST(equal(0.0, -0.0));
  BOOST_TEST(equal(infinity, infinity));
  BOOST_TEST(equal(nan, -nan));
  BOOST_TEST(equal(nan, std::nan("7")));
  BOOST_TEST(!equal(1.5, std::nextafter(1.5, 2)));
  BOOST_TEST(!equal(nan, 0));
  BOOST_TEST(!equal(0, nan));
  BOOST_TEST(!equal(infinity, -infinity));
}

BOOST_AUTO_TEST_CASE(either_tolerance_suffices) {
  BOOST_TEST(equal(10, 10.5, {.absolute = 0.5}));
  BOOST_TEST(!equal(10, 10.5, {.absolute = 0.49}));
  BOOST_TEST(equal(-8, -10, {.relative = 0.2}));  // of the larger one
  BOOST_TEST(!equal(-8, -10, {.relative = 0.19}));
  BOOST_TEST(equal(10, 10.5, {.absolute = 0.01, .relative = 0.1}));
  BOOST_TEST(equal(0.1, 0.2, {.absolute = 1, .relative = 0.001}));
}

BOOST_AUTO_TEST_CASE(no_tolerance_reaches_infinity_or_nan) {
  for (const double far : {1.0, 1e308, infinity})
    for (const auto& [a, b] :
         {std::pair(infinity, 1.0), {1.0, infinity}, {infinity, -infinity}, {nan, 1.0}, {1.0, nan}})
      BOOST_TEST(!equal(a, b, {.absolute = far, .relative = far}));
}

BOOST_AUTO_TEST_CASE(every_dtype) {
  using tgmap::bfloat16;
  using tgmap::float16;
  const auto text = [](const std::optional<value_difference>& of) {
    BOOST_TEST_REQUIRE(of.has_value());
    BOOST_TEST(of->differing == 1u);
    BOOST_TEST(of->elements == 2u);
    BOOST_TEST((of->first == std::vector<std::uint64_t>{1}));
    return of->left + "|" + of->right + "|" + std::to_string(of->largest);
  };
  BOOST_TEST(text(compared<float16>("float16", {0x3c00}, {0x4000})) == "1|2|1.000000");
  BOOST_TEST(text(compared<bfloat16>("bfloat16", {0x3f80}, {0x4000})) == "1|2|1.000000");
  BOOST_TEST(text(compared<float>("float32", 0.1f, 0.25f)).starts_with("0.1|0.25|0.1"));
  BOOST_TEST(text(compared<double>("float64", 0.1, -1e300)).starts_with("0.1|-1e+300|1000"));
  BOOST_TEST(text(compared<std::complex<float>>("complex64", {1, -2}, {4, 2})) == "1-2j|4+2j|5.000000");
  BOOST_TEST(text(compared<std::complex<double>>("complex128", {0, 1}, {0, 2})) == "0+1j|0+2j|1.000000");
  BOOST_TEST(text(compared<std::int8_t>("int8", -128, 127)) == "-128|127|255.000000");
  BOOST_TEST(text(compared<std::int16_t>("int16", -3, 4)) == "-3|4|7.000000");
  BOOST_TEST(text(compared<std::int32_t>("int32", 7, 5)) == "7|5|2.000000");
  BOOST_TEST(text(compared<std::int64_t>("int64", std::numeric_limits<std::int64_t>::min(),
                                         std::numeric_limits<std::int64_t>::max())) ==
             "-9223372036854775808|9223372036854775807|18446744073709551616.000000");
  BOOST_TEST(text(compared<std::uint8_t>("uint8", 65, 255)) == "65|255|190.000000");
  BOOST_TEST(text(compared<std::uint16_t>("uint16", 1, 0)) == "1|0|1.000000");
  BOOST_TEST(text(compared<std::uint32_t>("uint32", 0, 4294967295u)) == "0|4294967295|4294967295.000000");
  BOOST_TEST(text(compared<std::uint64_t>("uint64", 1ull << 63, (1ull << 63) + 1)) ==
             "9223372036854775808|9223372036854775809|1.000000");  // which no double tells apart
}

BOOST_AUTO_TEST_CASE(bits) {
  const auto bits = [](const bytes& packed, std::uint64_t count) {
    return object_spec{.dtype = "bitmask", .shape = {count}, .payload = packed};
  };
  const auto found = compared(bits("\xaa\x80", 10), bits("\xaa\x40", 10));
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST(found->differing == 2u);
  BOOST_TEST((found->first == std::vector<std::uint64_t>{8}));
  BOOST_TEST(found->left + found->right == "10");
  BOOST_TEST(!compared(bits("\xaa\x80", 10), bits("\xaa\x9f", 10)));  // what lies behind the last bit is nothing
}

BOOST_AUTO_TEST_CASE(strides_are_no_difference) {
  const auto with = [](const bytes& payload, std::vector<std::uint64_t> strides) {
    object_spec out = bytes_object(payload);
    out.shape = {2, 3};
    out.strides = std::move(strides);
    return out;
  };
  BOOST_TEST(!compared(with("abcdef", {3, 1}), with("adbecf", {1, 2})));
  const auto found = compared(with("abcdef", {3, 1}), with("adbeXf", {1, 2}));
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST((found->first == std::vector<std::uint64_t>{0, 2}));
  BOOST_TEST(found->left == "99");
  BOOST_TEST(found->right == "88");
  const auto both = compared(with("adbecf", {1, 2}), with("aYXecf", {1, 2}));
  BOOST_TEST_REQUIRE(both.has_value());
  BOOST_TEST(both->differing == 2u);
  BOOST_TEST((both->first == std::vector<std::uint64_t>{0, 1}));  // in C order, not as they lie
}

BOOST_AUTO_TEST_CASE(byte_order_is_no_difference) {
  object_spec big{.dtype = "int16", .shape = {2}, .payload = bytes("\0\1\1\2", 4), .byte_order = "big"};
  BOOST_TEST(!compared(big, numbers_object<std::int16_t>("int16", {1, 258})));
  BOOST_TEST(compared(big, numbers_object<std::int16_t>("int16", {1, 257})).has_value());
}

BOOST_AUTO_TEST_CASE(scalars_and_nothing) {
  object_spec scalar = bytes_object("a"), other = bytes_object("b");
  scalar.shape = other.shape = {};
  BOOST_TEST(!compared(scalar, scalar));
  BOOST_TEST(compared(scalar, other)->first.empty());
  BOOST_TEST(!compared(bytes_object(""), bytes_object("")));
}

BOOST_AUTO_TEST_SUITE_END()
