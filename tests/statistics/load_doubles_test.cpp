// SPDX-License-Identifier: Apache-2.0
// Loads elements at any step. tests/picture/field_test.cpp tests every dtype.
#include <boost/test/unit_test.hpp>
#include <complex>
#include <support/bytes.hpp>
#include <vector>

#include "statistics/load_doubles.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(load_doubles)

namespace {

std::vector<double> loaded(const bytes& elements, tgmap::dtype of, std::uint64_t first, std::uint64_t stride,
                           std::size_t count) {
  std::vector<double> out(count);
  tgmap::statistics::load_doubles(span_of(elements), of, first, stride, out);
  return out;
}

using list = std::vector<double>;

}  // namespace

BOOST_AUTO_TEST_CASE(any_first_and_stride) {
  const bytes shorts = native<std::int16_t>({0, -1, 2, -3, 4, -5, 6});
  BOOST_TEST((loaded(shorts, tgmap::dtype::int16, 1, 1, 3) == list{-1, 2, -3}));
  BOOST_TEST((loaded(shorts, tgmap::dtype::int16, 0, 3, 3) == list{0, -3, 6}));
  const bytes complex = native<float>({3, 4, 5, 12, 8, 15});
  BOOST_TEST((loaded(complex, tgmap::dtype::complex64, 0, 2, 2) == list{5, 17}));
  BOOST_TEST((loaded("\x81\xc0", tgmap::dtype::bitmask, 7, 1, 4) == list{1, 1, 1, 0}));
  BOOST_TEST((loaded("\x81\xc0", tgmap::dtype::bitmask, 0, 4, 3) == list{1, 0, 1}));
}

BOOST_AUTO_TEST_CASE(at_any_address) {
  const bytes shifted = "?" + native<double>({1.5, -2.5});
  std::vector<double> out(2);
  tgmap::statistics::load_doubles(span_of(shifted).subspan(1), tgmap::dtype::float64, 0, 1, out);
  BOOST_TEST((out == list{1.5, -2.5}));
}

BOOST_AUTO_TEST_SUITE_END()
