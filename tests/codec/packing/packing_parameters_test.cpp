// SPDX-License-Identifier: Apache-2.0
// The parameters that release 0.24.0 of the reference implementation computed for these numbers.
#include "codec/packing/packing_parameters.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <support/failures.hpp>
#include <vector>

using namespace tgmap::codec;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(packing_parameters_test)

namespace {

struct known {
  std::vector<double> numbers;
  unsigned bits;
  std::int32_t decimal_scale;
  double reference;
  std::int32_t binary_scale;
};

const known table[] = {
    {{}, 16, 0, 0.0, 0},
    {{5}, 16, 0, 5.0, 0},
    {{5, 5}, 0, 0, 5.0, 0},
    {{2, 1}, 0, 0, 2.0, 0},
    {{-0.0, 0.0}, 8, 0, -0.0, 0},
    {{0.0, -0.0}, 8, 0, 0.0, 0},
    {{0, 255}, 8, 0, 0.0, 0},
    {{0, 256}, 8, 0, 0.0, 1},
    {{0, 65535}, 16, 0, 0.0, 0},
    {{0, 65536}, 16, 0, 0.0, 1},
    {{0, 65535.00000000001}, 16, 0, 0.0, 1},
    {{0, 65535.0 * 0x1p-7 * (1 + 0x1p-52)}, 16, 0, 0.0, -7},  // the logarithm is rounded to exactly -7
    {{0, 1}, 1, 0, 0.0, 0},
    {{0, 3}, 1, 0, 0.0, 2},
    {{-1e308, 1e308}, 16, 0, -1e308, INT32_MAX},
    {{0, 5e-324}, 16, 0, 0.0, INT32_MIN},
    {{0, 1e-70}, 16, 0, 0.0, -248},
    {{0, 1e-80}, 16, 0, 0.0, -281},
    {{0, 1e76}, 16, 0, 0.0, 237},
    {{0, 1e90}, 16, 0, 0.0, 283},
    {{1, 2}, 64, 0, 1.0, -64},
    {{0, 0x1p64}, 64, 0, 0.0, 0},
    {{1, 2}, 53, 0, 1.0, -53},
    {{273.15, 310.2}, 12, 2, 273.15, 0},
    {{273.15, 310.2}, 12, -2, 273.15, -13},
    {{1, 2}, 16, 308, 1.0, 1008},
    {{1, 2}, 16, 309, 1.0, INT32_MAX},
    {{1, 1}, 16, 400, 1.0, 0},
    {{1, 2}, 16, -400, 1.0, 0},
    {{0, 1e300}, 24, 10, 0.0, INT32_MAX},
};

}  // namespace

BOOST_AUTO_TEST_CASE(parameters_of_the_reference) {
  for (const known& each : table) {
    number_range range;
    range.add(each.numbers);
    const auto found = compute_packing(range, each.bits, each.decimal_scale);
    const double last = each.numbers.empty() ? 0 : each.numbers.back();
    BOOST_TEST(found.reference == each.reference, "up to " << last);
    BOOST_TEST(std::signbit(found.reference) == std::signbit(each.reference), "up to " << last);
    BOOST_TEST(found.binary_scale == each.binary_scale, "up to " << last << ", " << each.bits << " bits");
    BOOST_TEST(found.bits == each.bits);
    BOOST_TEST(found.decimal_scale == each.decimal_scale);
  }
}

BOOST_AUTO_TEST_CASE(rejected_parameters) {
  const auto why = [](packing_parameters with) { return check_packing(with); };
  TGMAP_SUCCEEDED(why({}));
  TGMAP_SUCCEEDED(why({.binary_scale = 256, .bits = 64}));
  TGMAP_SUCCEEDED(why({.binary_scale = -256}));
  for (const int scale : {257, -257, INT32_MAX, INT32_MIN})
    TGMAP_FAILED(why({.binary_scale = scale}), errc::bad_parameter);
  for (const int scale : {309, -309, 400, INT32_MAX, INT32_MIN})
    TGMAP_FAILED(why({.decimal_scale = scale}), errc::bad_parameter);
  TGMAP_FAILED(why({.binary_scale = 256, .decimal_scale = -300}), errc::bad_parameter);  // the product is out of range
  TGMAP_FAILED(why({.bits = 65}), errc::bad_parameter);
  TGMAP_FAILED(why({.reference = HUGE_VAL}), errc::bad_parameter);
  TGMAP_FAILED(why({.reference = NAN}), errc::bad_parameter);

  const auto asked = [](tgmap::packing_options how) { return check_packing(how); };
  TGMAP_SUCCEEDED(asked({}));
  TGMAP_SUCCEEDED(asked({.bits = 99, .max_error = 0.5}));
  TGMAP_FAILED(asked({.bits = 65}), errc::bad_parameter);
  TGMAP_FAILED(asked({.reference = 1.0}), errc::bad_parameter);
  TGMAP_FAILED(asked({.binary_scale = 1}), errc::bad_parameter);
  TGMAP_SUCCEEDED(asked({.reference = 1.0, .binary_scale = 1}));
  for (const double error : {-1.0, HUGE_VAL, double{NAN}})
    TGMAP_FAILED(asked({.max_error = error}), errc::bad_parameter);
}

BOOST_AUTO_TEST_CASE(inexact_numbers) {
  const std::vector<double> numbers{0, NAN, 1, 2.25, HUGE_VAL, 3.5};
  const packing_parameters whole{.bits = 8};
  BOOST_TEST(!find_inexact(numbers, whole, 0.5));
  BOOST_TEST(find_inexact(numbers, whole, 0.4).value() == 5u);
  BOOST_TEST(find_inexact(numbers, whole, 0.2).value() == 3u);
  BOOST_TEST(!find_inexact(numbers, {.binary_scale = -2, .bits = 8}, 0));
  BOOST_TEST(find_inexact(numbers, {.bits = 1}, 1).value() == 3u);       // 2.25 becomes 1
  BOOST_TEST(find_inexact(numbers, {.reference = 1}, 1).value() == 3u);  // without bits all are the reference value
}

BOOST_AUTO_TEST_SUITE_END()
