// SPDX-License-Identifier: Apache-2.0
// Centres of HEALPix pixels. The expected degrees of nside 4 are those of ecCodes 2.50.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>

#include "bridge/grib/grids/healpix.hpp"

using namespace tgmap::bridge::grib;

BOOST_AUTO_TEST_SUITE(healpix_test)

namespace {

struct pixel {
  std::size_t number;
  double latitude, longitude;
};

void check(const tgmap::provided_degrees& found, std::initializer_list<pixel> expected) {
  for (const pixel& each : expected) {
    BOOST_TEST(std::fabs(found.latitudes.at(each.number) - each.latitude) < 1e-12, "latitude of " << each.number);
    BOOST_TEST(found.longitudes.at(each.number) == each.longitude);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(rings_go_from_north_to_south_and_from_west_to_east) {
  check(healpix_degrees(4, healpix_order::ring), {{0, 78.28414760510762, 45},
                                                  {5, 66.44353569089877, 67.5},
                                                  {30, 41.81031489577859, 146.25},
                                                  {77, 9.594068226860458, 112.5},
                                                  {100, 0, 281.25},
                                                  {191, -78.28414760510762, 315}});
  check(healpix_degrees(1, healpix_order::ring),
        {{0, 41.81031489577859, 45}, {4, 0, 0}, {11, -41.81031489577859, 315}});
}

BOOST_AUTO_TEST_CASE(nested_pixels_follow_a_curve_in_each_base_pixel) {
  check(healpix_degrees(4, healpix_order::nested), {{0, 9.594068226860458, 45},
                                                    {1, 19.47122063449069, 56.25},
                                                    {2, 19.47122063449069, 33.75},
                                                    {3, 30, 45},
                                                    {77, 19.47122063449069, 11.25},
                                                    {100, -9.594068226860458, 202.5},
                                                    {191, -9.594068226860458, 315}});
}

BOOST_AUTO_TEST_CASE(both_orders_have_the_same_pixels) {
  for (const std::size_t nside : {1, 2, 8, 64}) {
    const auto sorted = [&](healpix_order order) {
      const auto all = healpix_degrees(nside, order);
      std::vector<std::pair<double, double>> out;
      for (std::size_t i = 0; i < all.latitudes.size(); ++i) out.emplace_back(all.latitudes[i], all.longitudes[i]);
      std::sort(out.begin(), out.end());
      return out;
    };
    const auto ring = sorted(healpix_order::ring);
    BOOST_TEST(ring.size() == 12 * nside * nside);
    BOOST_TEST((std::adjacent_find(ring.begin(), ring.end()) == ring.end()));
    BOOST_TEST((ring == sorted(healpix_order::nested)));
  }
}

BOOST_AUTO_TEST_CASE(grids_that_do_not_exist_or_are_too_large) {
  BOOST_TEST(is_healpix(3, healpix_order::ring, 108));
  BOOST_TEST(!is_healpix(3, healpix_order::ring, 107));
  BOOST_TEST(!is_healpix(3, healpix_order::nested, 108));
  BOOST_TEST(is_healpix(4, healpix_order::nested, 192));
  BOOST_TEST(!is_healpix(0, healpix_order::ring, 192));
  BOOST_TEST(!is_healpix(UINT64_MAX, healpix_order::ring, UINT64_MAX));
}

BOOST_AUTO_TEST_SUITE_END()
