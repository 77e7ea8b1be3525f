// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <support/builder.hpp>
#include <tgmap/archive.hpp>
#include <tgmap/dtype.hpp>
#include <tgmap/tools/compare.hpp>

using namespace tgmap_test;
using tgmap::element_difference;
using tgmap::element_value;
using tgmap::tolerance;

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

std::optional<element_difference> compared(const object_spec& left, const object_spec& right,
                                           const tolerance& within = {}) {
  return tgmap::compare(decoded(left), decoded(right), within);
}

template <class T>
std::optional<element_difference> compared(const char* dtype, T left, T right, const tolerance& within = {}) {
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
  const auto check = [](const std::optional<element_difference>& of, const element_value& left,
                        const element_value& right, double largest) {
    BOOST_TEST_REQUIRE(of.has_value());
    BOOST_TEST(of->differing == 1u);
    BOOST_TEST(of->elements == 2u);
    BOOST_TEST((of->first == std::vector<std::uint64_t>{1}));
    BOOST_TEST((of->left == left));
    BOOST_TEST((of->right == right));
    BOOST_TEST(of->largest_absolute == largest);
  };
  using limits = std::numeric_limits<std::int64_t>;
  const auto i = [](std::int64_t x) { return element_value(x); };
  const auto u = [](std::uint64_t x) { return element_value(x); };
  check(compared<float16>("float16", {0x3c00}, {0x4000}), 1.0f, 2.0f, 1);
  check(compared<bfloat16>("bfloat16", {0x3f80}, {0x4000}), 1.0f, 2.0f, 1);
  check(compared<float>("float32", 0.125f, 0.25f), 0.125f, 0.25f, 0.125);
  check(compared<double>("float64", 0.1, -1e300), 0.1, -1e300, 1e300);
  check(compared<std::complex<float>>("complex64", {1, -2}, {4, 2}), std::complex<float>(1, -2),
        std::complex<float>(4, 2), 5);
  check(compared<std::complex<double>>("complex128", {0, 1}, {0, 2}), std::complex<double>(0, 1),
        std::complex<double>(0, 2), 1);
  check(compared<std::int8_t>("int8", -128, 127), i(-128), i(127), 255);
  check(compared<std::int16_t>("int16", -3, 4), i(-3), i(4), 7);
  check(compared<std::int32_t>("int32", 7, 5), i(7), i(5), 2);
  check(compared<std::int64_t>("int64", limits::min(), limits::max()), i(limits::min()), i(limits::max()), 0x1p64);
  check(compared<std::uint8_t>("uint8", 65, 255), u(65), u(255), 190);
  check(compared<std::uint16_t>("uint16", 1, 0), u(1), u(0), 1);
  check(compared<std::uint32_t>("uint32", 0, 4294967295u), u(0), u(4294967295u), 4294967295.0);
  check(compared<std::uint64_t>("uint64", 1ull << 63, (1ull << 63) + 1), u(1ull << 63), u((1ull << 63) + 1),
        1);  // which no double tells apart
}

BOOST_AUTO_TEST_CASE(largest_differences_and_infinities) {
  const auto found = compared(numbers_object<double>("float64", {1, 100, 5, infinity, nan}),
                              numbers_object<double>("float64", {2, 110, 5, 1, 3}));
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST(found->differing == 4u);
  BOOST_TEST(found->largest_absolute == 10);
  BOOST_TEST(found->largest_relative == 0.5);
  BOOST_TEST(found->not_finite == 2u);
  BOOST_TEST(found->only_left_finite == 0u);
  const auto other = compared("float64", 1.0, infinity);
  BOOST_TEST((other->not_finite == 1u && other->only_left_finite == 1u));
}

BOOST_AUTO_TEST_CASE(dtypes_are_compared_in_the_wider_one) {
  const auto differs = [](const object_spec& left, const object_spec& right, const tolerance& within = {}) {
    const auto found = tgmap::compare(decoded(left), decoded(right), within, true);
    const auto mirrored = tgmap::compare(decoded(right), decoded(left), within, true);
    BOOST_TEST(found.has_value() == mirrored.has_value());
    if (found) BOOST_TEST((found->left == mirrored->right && found->largest_absolute == mirrored->largest_absolute));
    return found.has_value();
  };
  const auto f32 = [](float x) { return numbers_object<float>("float32", {x}); };
  const auto f64 = [](double x) { return numbers_object<double>("float64", {x}); };
  const auto i64 = [](std::int64_t x) { return numbers_object<std::int64_t>("int64", {x}); };
  const auto u64 = [](std::uint64_t x) { return numbers_object<std::uint64_t>("uint64", {x}); };
  const auto c64 = [](std::complex<float> x) { return numbers_object<std::complex<float>>("complex64", {x}); };
  BOOST_TEST(!differs(f32(0.5f), f64(0.5)));
  BOOST_TEST(differs(f32(0.1f), f64(0.1)));
  BOOST_TEST(!differs(f32(0.1f), f64(0.1), {.relative = 1e-7}));
  BOOST_TEST(!differs(f64(nan), f32(std::numeric_limits<float>::quiet_NaN())));
  BOOST_TEST(!differs(i64(-7), numbers_object<std::int8_t>("int8", {-7})));
  BOOST_TEST(!differs(i64(7), u64(7)));
  BOOST_TEST(differs(i64(-1), u64(UINT64_MAX)));
  BOOST_TEST(!differs(i64(-1), u64(2), {.absolute = 3}));
  BOOST_TEST(differs(i64(-1), u64(2), {.absolute = 2.5}));
  BOOST_TEST(!differs(i64(1ll << 53), f64(0x1p53)));
  BOOST_TEST(differs(i64((1ll << 53) + 1), f64(0x1p53)));  // which no double tells apart
  BOOST_TEST(differs(u64(UINT64_MAX), f64(0x1p64)));
  BOOST_TEST(differs(i64(3), f64(3.5)));
  BOOST_TEST(!differs(i64(3), f64(3.5), {.absolute = 0.5}));
  BOOST_TEST(differs(u64(0), f64(nan)));
  BOOST_TEST(!differs(c64({2, 0}), i64(2)));
  BOOST_TEST(differs(c64({2, 1}), i64(2)));
  BOOST_TEST(!differs(c64({2, 1}), f64(2), {.absolute = 1}));
}

BOOST_AUTO_TEST_CASE(tensors_that_cannot_be_compared) {
  const auto why = [](const object_spec& left, const object_spec& right, bool any_dtype) {
    tgmap::failure out;
    BOOST_TEST(!tgmap::compare(decoded(left), decoded(right), {}, any_dtype, out).has_value());
    return out.code;
  };
  const auto one = numbers_object<float>("float32", {1}), two = numbers_object<float>("float32", {1, 2});
  const auto wide = numbers_object<double>("float64", {1});
  BOOST_TEST((why(one, wide, false) == tgmap::errc::dtype_mismatch));
  BOOST_TEST((why(one, wide, true) == std::error_code()));
  BOOST_TEST((why(one, two, true) == tgmap::errc::invalid_option));
  BOOST_CHECK_THROW(tgmap::compare(decoded(one), decoded(wide)), tgmap::error);
}

BOOST_AUTO_TEST_CASE(bits) {
  const auto bits = [](const bytes& packed, std::uint64_t count) {
    return object_spec{.dtype = "bitmask", .shape = {count}, .payload = packed};
  };
  const auto found = compared(bits("\xaa\x80", 10), bits("\xaa\x40", 10));
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST(found->differing == 2u);
  BOOST_TEST((found->first == std::vector<std::uint64_t>{8}));
  BOOST_TEST((found->left == element_value(std::uint64_t{1}) && found->right == element_value(std::uint64_t{0})));
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
  BOOST_TEST((found->left == element_value(std::uint64_t{99}) && found->right == element_value(std::uint64_t{88})));
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
