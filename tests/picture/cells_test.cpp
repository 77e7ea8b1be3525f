// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "picture/cells.hpp"

using namespace tgmap::picture;

BOOST_AUTO_TEST_SUITE(cells_test)

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

std::vector<double> some_numbers(std::size_t n, unsigned seed, bool with_special) {
  std::mt19937 random(seed);
  std::vector<double> out(n);
  for (double& x : out) {
    const int dice = with_special ? std::uniform_int_distribution<int>(0, 4)(random) : 9;
    x = dice == 0 ? missing : dice == 1 ? inf : std::uniform_real_distribution<double>(-5, 5)(random);
  }
  return out;
}

/// Calls `add` with pieces of `size` numbers.
template <class F>
void in_pieces(const std::vector<double>& numbers, std::size_t size, F&& add) {
  for (std::size_t at = 0; at < numbers.size(); at += size)
    add(at, std::span(numbers).subspan(at, std::min(size, numbers.size() - at)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_small_map_is_not_reduced) {
  map_cells found(2, 3, 100, 100);
  const std::vector<double> numbers{1, 2, missing, 4, inf, 6};
  found.add(0, numbers, false);
  BOOST_TEST(found.rows() == 2u);
  BOOST_TEST(found.columns() == 3u);
  BOOST_TEST(found.at(0, 1) == 2);
  BOOST_TEST(std::isnan(found.at(0, 2)));
  BOOST_TEST(std::isnan(found.at(1, 1)));  // infinite
  BOOST_TEST(found.at(1, 2) == 6);
}

BOOST_AUTO_TEST_CASE(cells_are_means_of_finite_elements) {
  map_cells found(2, 4, 1, 2);
  found.add(0, std::vector<double>{1, 2, missing, missing, 3, missing, missing, inf}, false);
  BOOST_TEST(found.rows() == 1u);
  BOOST_TEST(found.columns() == 2u);
  BOOST_TEST(found.at(0, 0) == 2);
  BOOST_TEST(std::isnan(found.at(0, 1)));
}

BOOST_AUTO_TEST_CASE(sums_of_the_largest_numbers_do_not_overflow) {
  constexpr double largest = std::numeric_limits<double>::max();
  const std::vector<double> numbers{largest, largest, missing, largest, -largest, largest, -largest, largest,
                                    1,       3,       8e307,   1.6e308, 1e-310,   3e-310,  largest,  inf};
  for (const std::size_t piece : {1u, 3u, 16u}) {
    map_cells map(1, 16, 1, 4);
    line_cells line(16, 4);
    in_pieces(numbers, piece, [&](std::size_t at, std::span<const double> some) {
      map.add(at, some, false);
      line.add(at, some);
    });
    for (const auto& mean : {std::function([&](std::size_t i) { return map.at(0, i); }),
                             std::function([&](std::size_t i) { return line.columns()[i].mean(); })}) {
      BOOST_TEST(mean(0) == largest, boost::test_tools::tolerance(1e-15));
      BOOST_TEST(mean(1) == 0);
      BOOST_TEST(mean(2) == 6e307, boost::test_tools::tolerance(1e-15));
      BOOST_TEST(mean(3) == largest / 3, boost::test_tools::tolerance(1e-15));
    }
  }
  map_cells full(2, 64, 2, 1);
  full.add(0, std::vector<double>(128, -largest), true);
  BOOST_TEST(full.at(0, 0) == -largest);
  BOOST_TEST(full.at(1, 0) == -largest);
}

BOOST_AUTO_TEST_CASE(maps_are_reduced_whatever_the_pieces) {
  std::mt19937 random(2);
  const auto upto = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(1, n)(random); };
  for (unsigned round = 0; round < 200; ++round) {
    const std::size_t rows = upto(40), columns = upto(90), max_rows = upto(30), max_columns = upto(60);
    const bool has_special = round % 2 == 0;
    const auto numbers = some_numbers(rows * columns, round, has_special);
    map_cells found(rows, columns, max_rows, max_columns);
    in_pieces(numbers, upto(200), [&](std::size_t at, auto piece) { found.add(at, piece, !has_special); });
    BOOST_TEST_REQUIRE(found.rows() == std::min(rows, max_rows));
    BOOST_TEST_REQUIRE(found.columns() == std::min(columns, max_columns));

    std::vector<double> sums(found.rows() * found.columns());
    std::vector<int> counts(sums.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (!std::isfinite(numbers[i])) continue;
      const std::size_t cell =
          i / columns * found.rows() / rows * found.columns() + i % columns * found.columns() / columns;
      sums[cell] += numbers[i];
      ++counts[cell];
    }
    for (std::size_t c = 0; c < sums.size(); ++c) {
      const double is = found.at(c / found.columns(), c % found.columns());
      BOOST_TEST(std::isnan(is) == (counts[c] == 0));
      if (counts[c] != 0) BOOST_TEST(std::fabs(is - sums[c] / counts[c]) < 1e-12);
    }
  }
}

BOOST_AUTO_TEST_CASE(lines_are_reduced_whatever_the_pieces) {
  std::mt19937 random(3);
  const auto upto = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(1, n)(random); };
  for (unsigned round = 0; round < 200; ++round) {
    const auto numbers = some_numbers(upto(3000), round, round % 2 == 0);
    line_cells found(numbers.size(), upto(300));
    in_pieces(numbers, upto(500), [&](std::size_t at, auto piece) { found.add(at, piece); });
    const auto columns = found.columns();
    std::uint64_t counted = 0;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      double min = inf, max = -inf;
      std::uint64_t count = 0;
      for (std::size_t i = 0; i < numbers.size(); ++i)
        if (i * columns.size() / numbers.size() == c && std::isfinite(numbers[i])) {
          min = std::min(min, numbers[i]);
          max = std::max(max, numbers[i]);
          ++count;
        }
      BOOST_TEST(columns[c].count == count);
      BOOST_TEST(columns[c].is_empty() == (count == 0));
      if (count == 0) continue;
      BOOST_TEST(columns[c].min == min);
      BOOST_TEST(columns[c].max == max);
      BOOST_TEST(columns[c].mean() >= min - 1e-12);
      BOOST_TEST(columns[c].mean() <= max + 1e-12);
      counted += count;
    }
    BOOST_TEST(counted == static_cast<std::uint64_t>(std::count_if(numbers.begin(), numbers.end(),
                                                                   [](double x) { return std::isfinite(x); })));
  }
}

BOOST_AUTO_TEST_CASE(indices_beyond_32_bits) {
  line_cells found(std::uint64_t{1} << 62, 10);
  found.add((std::uint64_t{1} << 62) - 1, std::vector<double>{7});
  BOOST_TEST(found.columns()[9].mean() == 7);
}

BOOST_AUTO_TEST_SUITE_END()
