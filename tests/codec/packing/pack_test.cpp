// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <codec/packing/packed.hpp>
#include <codec/packing/unpacked.hpp>

using namespace tgmap::codec;
using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(pack_test)

BOOST_AUTO_TEST_CASE(every_width_and_length_by_the_plain_loop) { check_packing_by(pack_plain, "plain"); }
BOOST_AUTO_TEST_CASE(every_width_and_length_by_the_fast_kernels) { check_packing_by(pack, "fast"); }

BOOST_AUTO_TEST_CASE(halves_are_rounded_away_from_zero) {
  const std::vector<std::pair<double, unsigned>> cases{{-0.4999, 0},
                                                       {-0.0, 0},
                                                       {0.49999999999999994, 0},
                                                       {0.5, 1},
                                                       {1.4999999999999998, 1},
                                                       {1.5, 2},
                                                       {2.5, 3},
                                                       {126.5, 127},
                                                       {254.5, 255},
                                                       {255.49, 255}};
  for (const auto packs : {pack, pack_plain})
    for (const auto& [number, expected] : cases) {
      const std::vector<double> numbers(9, number);
      std::vector<std::byte> out(9);
      BOOST_TEST(packs(numbers, packing_rule({.bits = 8}), out), number << " does not fit");
      for (const std::byte each : out) BOOST_TEST(std::to_integer<unsigned>(each) == expected, number);
    }
}

BOOST_AUTO_TEST_CASE(numbers_are_clamped) {
  constexpr double infinity = HUGE_VAL, nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto packs : {pack, pack_plain})
    for (const unsigned bits : {1, 7, 8, 12, 16, 24, 31, 32, 33, 47, 52, 53, 63, 64}) {
      const packing_rule rule({.bits = bits});
      const double most = std::ldexp(1.0, static_cast<int>(bits));
      for (const auto& [number, expected] : std::vector<std::pair<double, std::uint64_t>>{{-0.5, 0},
                                                                                          {-1, 0},
                                                                                          {-1e300, 0},
                                                                                          {-infinity, 0},
                                                                                          {nan, 0},
                                                                                          {most * 1.001, rule.max},
                                                                                          {1e300, rule.max},
                                                                                          {infinity, rule.max}})
        for (std::size_t at = 0; at < 11; ++at) {
          std::vector<double> numbers(11, 1.0);
          numbers[at] = number;
          bytes out(*packed_size(11, bits), '?');
          BOOST_TEST(!packs(numbers, rule, writable(out)), number << " fits " << bits << " bits");
          BOOST_TEST(!rule.fits(number));
          BOOST_TEST(packed_number(out, at, bits) == expected, number << " in " << bits << " bits");
        }
      const std::vector<double> fitting{0, 1, rule.max > (1ULL << 52) ? 1 : static_cast<double>(rule.max)};
      bytes out(*packed_size(3, bits), '?');
      BOOST_TEST(packs(fitting, rule, writable(out)));
    }
}

BOOST_AUTO_TEST_CASE(only_the_reference_value_fits_zero_bits) {
  const packing_rule rule({.reference = 2.5});
  for (const auto packs : {pack, pack_plain}) {
    BOOST_TEST(packs(std::vector<double>{2.5, 2.5}, rule, {}));
    BOOST_TEST(packs({}, rule, {}));
    BOOST_TEST(!packs(std::vector<double>{2.5, 2.6}, rule, {}));
  }
}

BOOST_AUTO_TEST_CASE(ranges) {
  constexpr double infinity = HUGE_VAL, nan = std::numeric_limits<double>::quiet_NaN();
  const auto check_range = [](const std::vector<double>& numbers) {
    for (const std::size_t cut : {std::size_t{0}, numbers.size() / 3, numbers.size()}) {
      number_range fast, plain;
      const auto all = std::span(numbers);
      fast.add(all.first(cut));
      fast.add(all.subspan(cut));
      plain.add_plain(all);
      BOOST_TEST(fast.any == plain.any);
      BOOST_TEST(fast.all_finite == plain.all_finite);
      BOOST_TEST((same_bits({&fast.first, 1}, {&plain.first, 1})));
      BOOST_TEST((same_bits({&fast.min, 1}, {&plain.min, 1})));
      BOOST_TEST(fast.max == plain.max);
    }
  };
  std::mt19937_64 next(5);
  for (std::size_t n = 0; n < 70; ++n) {
    std::vector<double> numbers(n);
    for (double& each : numbers) each = static_cast<double>(next() % 1000) - 500;
    check_range(numbers);
    for (const double odd : {nan, infinity, -infinity, 0.0, -0.0, 1e308, -1e308, 5e-324}) {
      for (std::size_t at = 0; at < n; at += 5) {
        auto some = numbers;
        some[at] = odd;
        check_range(some);
        for (double& each : some) each = std::abs(each);  // zeros of either sign are the minimum
        some[n / 2] = -0.0;
        check_range(some);
      }
      check_range(std::vector<double>(n, odd));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
