// SPDX-License-Identifier: Apache-2.0
// Compares statistics of tensors with the definitions, computed in two passes of long double.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <support/builder.hpp>
#include <support/failures.hpp>
#include <tgmap/archive.hpp>

#include "statistics/element_statistics.hpp"

using namespace tgmap_test;
using tgmap::statistics::element_statistics;

BOOST_AUTO_TEST_SUITE(statistics_of_elements)

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

element_statistics of(const object_spec& object) {
  const bytes data = message({.objects = {object}});
  const tgmap::archive archive = tgmap::archive::from_memory(span_of(data));
  tgmap::failure why;
  const auto out = tgmap::statistics::compute_statistics(archive[0][0].decode(), nullptr, why);
  BOOST_TEST(!why, why.text());
  return out;
}

template <class T>
element_statistics of_numbers(const char* dtype, const std::vector<T>& numbers) {
  return of({.dtype = dtype,
             .shape = {numbers.size()},
             .payload = bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T))});
}

template <class T>
void compare_with_definitions(const char* dtype, const std::vector<T>& numbers) {
  const element_statistics found = of_numbers(dtype, numbers);
  std::vector<T> finite;
  for (const T x : numbers)
    if (std::isfinite(static_cast<double>(x))) finite.push_back(x);
  BOOST_TEST(found.elements == numbers.size());
  BOOST_TEST(found.finite_count() == finite.size());
  if (finite.empty()) {
    BOOST_TEST(std::isnan(found.mean));
    return;
  }
  long double sum = 0, squares = 0;
  for (const T x : finite) sum += static_cast<long double>(x);
  const long double mean = sum / finite.size();
  for (const T x : finite) squares += (x - mean) * (x - mean);
  const auto deviation = static_cast<double>(std::sqrt(squares / finite.size()));
  const auto [min, max] = std::minmax_element(finite.begin(), finite.end());
  using exact_type = std::conditional_t<!std::is_integral_v<T>, double,
                                        std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;
  BOOST_TEST(std::get<exact_type>(found.min) == static_cast<exact_type>(*min));
  BOOST_TEST(std::get<exact_type>(found.max) == static_cast<exact_type>(*max));
  const double largest = std::max(std::fabs(static_cast<double>(*min)), std::fabs(static_cast<double>(*max)));
  BOOST_TEST(std::fabs(found.mean - static_cast<double>(mean)) <= 4e-16 * largest);
  BOOST_TEST(std::fabs(found.standard_deviation - deviation) <= 1e-13 * (deviation + 1e-3 * largest));
}

template <class T>
std::vector<T> random_integers(std::size_t count, T min, T max, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<T> number(min, max);
  std::vector<T> out(count);
  for (T& x : out) x = number(random);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(floating_numbers_of_many_pieces) {
  std::mt19937 random(3);
  for (const std::size_t count : {1u, 7u, 4096u, 65'536u, 65'537u, 400'001u})
    for (const double size : {1e-30, 1.0, 1e30}) {
      std::normal_distribution<double> number(3 * size, size);
      std::vector<double> numbers(count);
      for (double& x : numbers) x = number(random);
      compare_with_definitions("float64", numbers);
      if (count > 100) numbers[17] = nan, numbers[18] = inf, numbers[count - 1] = -inf;
      compare_with_definitions("float64", numbers);
    }
}

BOOST_AUTO_TEST_CASE(integers_of_every_width) {
  using wide = std::numeric_limits<std::int64_t>;
  compare_with_definitions("int32", random_integers<std::int32_t>(100'000, INT32_MIN, INT32_MAX, 1));
  compare_with_definitions("uint16", random_integers<std::uint16_t>(70'000, 0, UINT16_MAX, 2));
  compare_with_definitions("int64", random_integers<std::int64_t>(100'000, -1000, 1000, 3));
  compare_with_definitions("int64", random_integers<std::int64_t>(100'000, wide::min(), wide::max(), 4));
  compare_with_definitions("uint64", random_integers<std::uint64_t>(100'000, 0, UINT64_MAX, 5));
}

BOOST_AUTO_TEST_CASE(ends_of_64_bits_are_exact) {
  constexpr std::int64_t min = std::numeric_limits<std::int64_t>::min(), max = INT64_MAX;
  const auto both = of_numbers<std::int64_t>("int64", {0, max, min, -1});
  BOOST_TEST(std::get<std::int64_t>(both.min) == min);
  BOOST_TEST(std::get<std::int64_t>(both.max) == max);
  BOOST_TEST(std::get<std::uint64_t>(of_numbers<std::uint64_t>("uint64", {5, UINT64_MAX}).max) == UINT64_MAX);
}

BOOST_AUTO_TEST_CASE(a_small_spread_on_a_huge_integer_is_not_lost) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t i = 0; i < 100'000; ++i) numbers.push_back((std::uint64_t{1} << 62) + i % 2);
  const auto found = of_numbers("uint64", numbers);
  BOOST_TEST(found.standard_deviation == 0.5, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(found.mean == 0x1p62);
  BOOST_TEST(std::get<std::uint64_t>(found.max) == (std::uint64_t{1} << 62) + 1);
}

BOOST_AUTO_TEST_CASE(a_small_spread_on_a_large_number_is_not_lost) {
  std::vector<double> numbers;
  for (int i = 0; i < 300'000; ++i) numbers.push_back(1e9 + i % 2);
  const auto found = of_numbers("float64", numbers);
  BOOST_TEST(found.standard_deviation == 0.5, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(found.mean == 1e9 + 0.5);
}

BOOST_AUTO_TEST_CASE(numbers_at_both_ends_of_doubles) {
  std::vector<double> numbers(200'000, 1.7e308);
  std::fill(numbers.begin() + 100'000, numbers.end(), -1.7e308);
  BOOST_TEST(std::fabs(of_numbers("float64", numbers).mean) < 1e294);
}

BOOST_AUTO_TEST_CASE(bits_are_zeros_and_ones) {
  const auto found =
      of({.dtype = "bitmask", .shape = {11}, .payload = "\xa5\xff"});  // the last bits belong to no element
  BOOST_TEST(found.elements == 11u);
  BOOST_TEST(found.mean == 7.0 / 11, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(found.standard_deviation == std::sqrt(7.0 / 11 * 4 / 11), boost::test_tools::tolerance(1e-15));
  BOOST_TEST(std::get<std::uint64_t>(found.min) == 0u);
  BOOST_TEST(std::get<std::uint64_t>(found.max) == 1u);
  const auto many = of({.dtype = "bitmask", .shape = {200'001}, .payload = bytes(25'001, '\xff')});
  BOOST_TEST(many.mean == 1);
  BOOST_TEST(many.standard_deviation == 0);
  BOOST_TEST(std::get<std::uint64_t>(many.min) == 1u);
  BOOST_TEST(std::get<std::uint64_t>(of({.dtype = "bitmask", .shape = {3}, .payload = "\x10"}).max) == 0u);
}

BOOST_AUTO_TEST_CASE(complex_numbers_by_magnitude) {
  const auto found = of({.dtype = "complex128", .shape = {3}, .payload = native<double>({3, 4, 0, -1, -6, 8})});
  BOOST_TEST(std::get<double>(found.min) == 1);
  BOOST_TEST(std::get<double>(found.max) == 10);
  BOOST_TEST(found.mean == 16.0 / 3, boost::test_tools::tolerance(1e-15));

  // NaN before +inf before -inf, in either component.
  const float not_a_number = NAN, positive = INFINITY, negative = -INFINITY;
  const auto odd = of({.dtype = "complex64",
                       .shape = {7},
                       .payload = native<float>({not_a_number, positive, negative, not_a_number, positive, negative,
                                                 negative, positive, negative, 1, 1, negative, 2, 0})});
  BOOST_TEST(odd.nan == 2u);
  BOOST_TEST(odd.positive_infinities == 2u);
  BOOST_TEST(odd.negative_infinities == 2u);
  BOOST_TEST(odd.finite_count() == 1u);
  BOOST_TEST(odd.mean == 2);
}

BOOST_AUTO_TEST_CASE(masked_and_stored_values_count_the_same) {
  object_spec object = numbers_object<float>("float32", {NAN, 0, 3, 0, -INFINITY});
  object.masks = {{.kind = "nan", .method = "none", .blob = "\x40"},
                  {.kind = "inf+", .method = "none", .blob = "\x10"}};
  const auto found = of(object);
  BOOST_TEST(found.nan == 2u);
  BOOST_TEST(found.positive_infinities == 1u);
  BOOST_TEST(found.negative_infinities == 1u);
  BOOST_TEST(found.mean == 3);
}

BOOST_AUTO_TEST_CASE(no_finite_elements) {
  for (const auto& found : {of_numbers<float>("float32", {}), of_numbers<float>("float32", {NAN, INFINITY})}) {
    BOOST_TEST(found.finite_count() == 0u);
    BOOST_TEST(found.min.index() == 0u);
    BOOST_TEST(found.max.index() == 0u);
    BOOST_TEST(std::isnan(found.mean));
    BOOST_TEST(std::isnan(found.standard_deviation));
  }
}

BOOST_AUTO_TEST_CASE(foreign_byte_order_is_an_error) {
  object_spec object = numbers_object<float>("float32", {1, 2});
  object.byte_order = "big";
  const bytes data = message({.objects = {object}});
  const tgmap::archive archive = tgmap::archive::from_memory(span_of(data));
  tgmap::failure why;
  tgmap::statistics::compute_statistics(archive[0][0].decode({.byte_order = tgmap::output_byte_order::stored}), nullptr,
                                        why);
  BOOST_TEST(why.code == tgmap::errc::foreign_byte_order);
}

BOOST_AUTO_TEST_CASE(threads_do_not_change_the_result) {
  std::mt19937 random(8);
  for (const char* dtype : {"float32", "float64", "complex64", "int16", "uint64", "bitmask"}) {
    const std::size_t width = tgmap::element_size(*tgmap::dtype_from_name(dtype));
    object_spec object{
        .dtype = dtype, .shape = {500'003}, .payload = bytes(width == 0 ? 62'501 : 500'003 * width, '\0')};
    for (char& c : object.payload) c = static_cast<char>(random() % 100);  // all finite
    const bytes data = message({.objects = {object}});
    const tgmap::archive archive = tgmap::archive::from_memory(span_of(data));
    const tgmap::tensor all = archive[0][0].decode();
    tgmap::failure why;
    const auto alone = tgmap::statistics::compute_statistics(all, nullptr, why);
    BOOST_TEST(alone.finite_count() == 500'003u);
    for (const unsigned threads : {1u, 2u, 5u}) {
      const auto on = tgmap::make_thread_executor(threads);
      const auto several = tgmap::statistics::compute_statistics(all, on.get(), why);
      BOOST_TEST(!why);
      BOOST_TEST(several.mean == alone.mean);  // bit by bit
      BOOST_TEST(several.standard_deviation == alone.standard_deviation);
      BOOST_TEST((several.min == alone.min && several.max == alone.max), dtype);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
