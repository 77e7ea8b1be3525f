// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "statistics/accumulator.hpp"

using tgmap::statistics::accumulator;

BOOST_AUTO_TEST_SUITE(accumulators)

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

accumulator of(const std::vector<double>& numbers, std::size_t at_once = SIZE_MAX) {
  accumulator out;
  for (std::size_t i = 0; i < numbers.size(); i += std::min(at_once, numbers.size() - i))
    out.add(std::span(numbers).subspan(i, std::min(at_once, numbers.size() - i)));
  return out;
}

/// Compares with the definitions, computed in two passes of long double.
void compare_with_definitions(const std::vector<double>& numbers, const accumulator& found) {
  std::vector<long double> finite;
  for (const double x : numbers)
    if (std::isfinite(x)) finite.push_back(x);
  const auto missing = std::count_if(numbers.begin(), numbers.end(), [](double x) { return std::isnan(x); });
  BOOST_TEST(found.count() == numbers.size());
  BOOST_TEST(found.nan_count() == static_cast<std::uint64_t>(missing));
  BOOST_TEST(found.finite_count() == finite.size());
  if (finite.empty()) {
    for (const double x : {found.min(), found.max(), found.mean(), found.standard_deviation()})
      BOOST_TEST(std::isnan(x));
    return;
  }
  long double sum = 0, squares = 0;
  for (const long double x : finite) sum += x;
  const long double mean = sum / finite.size();
  for (const long double x : finite) squares += (x - mean) * (x - mean);
  const double deviation = static_cast<double>(std::sqrt(squares / finite.size()));
  const double largest = static_cast<double>(std::max(std::fabs(*std::min_element(finite.begin(), finite.end())),
                                                      std::fabs(*std::max_element(finite.begin(), finite.end()))));
  BOOST_TEST(found.min() == static_cast<double>(*std::min_element(finite.begin(), finite.end())));
  BOOST_TEST(found.max() == static_cast<double>(*std::max_element(finite.begin(), finite.end())));
  BOOST_TEST(std::fabs(found.mean() - static_cast<double>(mean)) <= 1e-13 * largest);
  BOOST_TEST(std::fabs(found.standard_deviation() - deviation) <= 1e-12 * (deviation + largest * 1e-3));
}

}  // namespace

BOOST_AUTO_TEST_CASE(known_values) {
  const accumulator s = of({2, 4, 4, 4, 5, 5, 7, 9});
  BOOST_TEST(s.mean() == 5);
  BOOST_TEST(s.standard_deviation() == 2);
  BOOST_TEST(s.min() == 2);
  BOOST_TEST(s.max() == 9);
}

BOOST_AUTO_TEST_CASE(nan_and_infinities_are_only_counted) {
  const accumulator s = of({nan, 1, inf, -inf, inf, 3, nan, -0.5, 0});
  BOOST_TEST(s.nan_count() == 2u);
  BOOST_TEST(s.positive_infinities() == 2u);
  BOOST_TEST(s.negative_infinities() == 1u);
  BOOST_TEST(s.finite_count() == 4u);
  BOOST_TEST(s.not_positive_count() == 2u);
  BOOST_TEST(s.min_positive() == 1);
  BOOST_TEST(s.min() == -0.5);
}

BOOST_AUTO_TEST_CASE(add_returns_true_if_all_are_finite) {
  accumulator s;
  BOOST_TEST(s.add(std::vector<double>{1, 2, 1e308, -1e308}));
  for (const double odd : {nan, inf, -inf})
    for (std::size_t at = 0; at < 20; ++at) {
      std::vector<double> numbers(20, 1.0);
      numbers[at] = odd;
      BOOST_TEST(!s.add(numbers));
    }
}

BOOST_AUTO_TEST_CASE(no_finite_numbers) {
  compare_with_definitions({}, of({}));
  compare_with_definitions({nan, inf}, of({nan, inf}));
  BOOST_TEST(std::isnan(of({-1, 0}).min_positive()));
}

BOOST_AUTO_TEST_CASE(a_small_spread_on_a_large_number_is_not_lost) {
  std::vector<double> numbers;
  for (int i = 0; i < 100'000; ++i) numbers.push_back(1e9 + i % 2);
  BOOST_TEST(std::fabs(of(numbers, 777).standard_deviation() - 0.5) < 1e-9);
}

BOOST_AUTO_TEST_CASE(large_numbers_stay_within_their_range) {
  const accumulator s = of(std::vector<double>(100, 1.7e308));
  BOOST_TEST(s.mean() == 1.7e308);
  BOOST_TEST(s.standard_deviation() == 0);
  const accumulator spread = of({1e300, 3e300}), parts = of({1e300, 3e300}, 1);
  BOOST_TEST(spread.standard_deviation() == 1e300, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(parts.standard_deviation() == 1e300, boost::test_tools::tolerance(1e-15));
}

BOOST_AUTO_TEST_CASE(the_deviation_of_small_numbers_does_not_vanish) {
  constexpr double smallest = std::numeric_limits<double>::denorm_min();
  for (const std::size_t piece : {1u, 3u, 100u}) {
    const auto deviation = [&](const std::vector<double>& numbers) { return of(numbers, piece).standard_deviation(); };
    BOOST_TEST(deviation({1e-200, 3e-200, nan}) == 1e-200, boost::test_tools::tolerance(1e-14));
    BOOST_TEST(deviation({1e-150, 3e-150}) == 1e-150, boost::test_tools::tolerance(1e-14));
    BOOST_TEST(deviation({0, 200 * smallest}) == 100 * smallest);
    BOOST_TEST(deviation({5e-324, 5e-324, 5e-324}) == 0);
  }
}

BOOST_AUTO_TEST_CASE(random_numbers_in_random_pieces) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const double size = std::pow(10.0, std::uniform_real_distribution<double>(-20, 20)(random));
    std::normal_distribution<double> number(std::uniform_real_distribution<double>(-3, 3)(random) * size, size);
    const int odd_in = std::uniform_int_distribution<int>(0, 2)(random) == 0 ? 7 : 1 << 30;
    std::vector<double> numbers(std::uniform_int_distribution<std::size_t>(0, 5000)(random));
    for (double& x : numbers) {
      const auto dice = std::uniform_int_distribution<int>(0, odd_in)(random);
      x = dice == 0 ? nan : dice == 1 ? inf : number(random);
    }
    compare_with_definitions(numbers, of(numbers, std::uniform_int_distribution<std::size_t>(1, 6000)(random)));
  }
}

BOOST_AUTO_TEST_SUITE_END()
