// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <codec/packing/packed.hpp>
#include <codec/packing/unpacked.hpp>
#include <codec/simd/for_each_target.hpp>
#include <limits>
#include <support/rounds.hpp>

using namespace tgmap::codec;
using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(pack_targets_test)

namespace {

constexpr double infinity = HUGE_VAL, nan = std::numeric_limits<double>::quiet_NaN();

std::vector<double> numbers_below(double limit, std::size_t n) {
  std::mt19937_64 next(3);
  std::vector<double> out(n);
  for (double& each : out) each = std::ldexp(static_cast<double>(next() >> 11), -53) * limit;
  return out;
}

bool same(const number_range& a, const number_range& b) {
  return a.any == b.any && a.all_finite == b.all_finite && a.first == b.first && a.min == b.min &&
         std::signbit(a.min) == std::signbit(b.min) && a.max == b.max;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_instruction_set) {
  for_each_target([](const char* target) { check_packing_by(pack, target); });
}

BOOST_AUTO_TEST_CASE(some_numbers_do_not_fit) {
  case_sampler cases(5);
  for_each_target([&](const char* target) {
    for (const unsigned bits : {1, 8, 12, 16, 24, 31, 32, 40, 47, 52, 60}) {
      const packing_rule rule({.bits = bits});
      const double end = std::ldexp(1.0, static_cast<int>(bits));
      unsigned wrong = 0;
      for (const double odd : {nan, infinity, -infinity, -0.5, -1.49, -1e300, 1e300, end, end - 0.5, end - 0.25})
        for (const std::size_t at : {0, 511, 512, 700, 1535, 1536, 1999})
          for (const std::size_t many : {1, 600}) {  // in some vectors, and in all that follow
            if (!cases.takes_next()) continue;
            auto numbers = numbers_below(end - 1, 2000);
            for (std::size_t i = at; i < std::min(at + many, numbers.size()); ++i) numbers[i] = odd;
            bytes fast((numbers.size() * bits + 7) / 8, '?'), plain = fast;
            wrong += pack(numbers, rule, writable(fast)) != pack_plain(numbers, rule, writable(plain));
            wrong += fast != plain;
          }
      BOOST_TEST(wrong == 0u, target << ": " << wrong << " of " << bits << " bits");
    }
  });
}

BOOST_AUTO_TEST_CASE(numbers_that_barely_fit) {
  for_each_target([](const char* target) {
    for (unsigned bits = 1; bits <= 52; ++bits) {
      const packing_rule rule({.bits = bits});
      const auto most = static_cast<double>(rule.max);
      std::vector<double> numbers(600, std::nextafter(rule.product_end, 0));
      for (std::size_t i = 0; i < numbers.size(); i += 3) numbers[i] = std::nextafter(-0.5, 0);
      for (std::size_t i = 1; i < numbers.size(); i += 3) numbers[i] = std::nextafter(most - 0.5, 0);
      bytes fast((numbers.size() * bits + 7) / 8, '?'), plain = fast;
      BOOST_TEST(pack(numbers, rule, writable(fast)), target << ": " << bits << " bits");
      BOOST_TEST(pack_plain(numbers, rule, writable(plain)));
      BOOST_TEST((fast == plain), target << ": " << bits << " bits");
    }
  });
}

BOOST_AUTO_TEST_CASE(ranges_of_many_from_any_address) {
  for_each_target([](const char* target) {
    unsigned wrong = 0;
    for (const double odd : {nan, infinity, -infinity, 0.0, -0.0, -1e308, 1e308, 5e-324})
      for (const std::size_t at : {0, 7, 8, 300, 511, 520, 1030, 1799}) {
        auto numbers = numbers_below(100, 1800);
        numbers[at] = odd;
        for (std::size_t first = 0; first < 9; ++first) {
          number_range fast, plain;
          fast.add(std::span(numbers).subspan(first));
          plain.add_plain(std::span(numbers).subspan(first));
          wrong += !same(fast, plain);
        }
      }
    BOOST_TEST(wrong == 0u, target << ": " << wrong);
  });
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(unpack_targets_test)

BOOST_AUTO_TEST_CASE(every_instruction_set) {
  tgmap_test::for_each_target([](const char* target) { tgmap_test::check_unpacking(tgmap::codec::unpack, target); });
}

BOOST_AUTO_TEST_SUITE_END()
