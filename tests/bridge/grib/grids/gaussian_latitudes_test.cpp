// SPDX-License-Identifier: Apache-2.0
// Latitudes of Gaussian grids. The expected numbers were computed with 60 digits.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "bridge/grib/grids/gaussian_latitudes.hpp"

using tgmap::bridge::grib::gaussian_latitudes;

BOOST_AUTO_TEST_SUITE(gaussian_latitudes_test)

BOOST_AUTO_TEST_CASE(latitudes_are_the_roots_of_legendre_polynomials) {
  const struct {
    std::size_t n, row;
    double latitude;
  } expected[] = {
      {1, 0, 35.264389682754654315377},       {2, 0, 59.444408289166769723287},
      {2, 1, 19.875719147440901583098},       {32, 0, 87.863798839232583751047},
      {32, 15, 46.044726631101673613538},     {32, 31, 1.3953069108194960268926},
      {320, 0, 89.784876907218301593006},     {320, 100, 61.686150265726419120224},
      {320, 319, 0.1405151796675031547796},   {1280, 0, 89.946187715662768114619},
      {1280, 1, 89.876478353332589293273},    {1280, 640, 44.956062178163625770938},
      {1280, 1279, 0.0351493842156049798859},
  };
  for (const auto& each : expected)
    BOOST_TEST(std::fabs(gaussian_latitudes(each.n)[each.row] - each.latitude) < 1e-11,
               each.n << " row " << each.row << ": " << gaussian_latitudes(each.n)[each.row] - each.latitude);
}

BOOST_AUTO_TEST_CASE(latitudes_fall_from_north_to_south_and_are_symmetric) {
  for (const std::size_t n : {1, 2, 3, 7, 48, 255}) {
    const auto all = gaussian_latitudes(n);
    BOOST_TEST_REQUIRE(all.size() == 2 * n);
    BOOST_TEST(all.front() < 90);
    for (std::size_t i = 0; i < n; ++i) BOOST_TEST(all[i] == -all[2 * n - 1 - i]);
    for (std::size_t i = 1; i < all.size(); ++i) BOOST_TEST(all[i] < all[i - 1]);
  }
}

BOOST_AUTO_TEST_SUITE_END()
