// SPDX-License-Identifier: Apache-2.0
#include "statistics/object_statistics.hpp"

#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <tgmap/archive.hpp>

using namespace tgmap_test;
using tgmap::statistics::object_statistics;

BOOST_AUTO_TEST_SUITE(statistics_of_objects)

BOOST_AUTO_TEST_CASE(objects_are_measured_in_order) {
  const bytes data = message({.objects = {numbers_object<std::int16_t>("int16", {1, 2, 3}),
                                          {.shape = {3}, .payload = "abc", .compression = "unheard"},
                                          numbers_object<double>("float64", {-1, 4})}});
  const auto in = tgmap::archive::from_memory(span_of(data));
  std::vector<object_statistics> all;
  tgmap::statistics::object_measurement objects({.executor = &tgmap::shared_executor(), .max_bytes = 1 << 20},
                                                [&](const object_statistics& each) { all.push_back(each); });
  for (std::size_t j = 0; j < 3; ++j) objects.add(in[0], in[0][j]);
  BOOST_TEST(all.empty());
  objects.finish();
  BOOST_REQUIRE(all.size() == 3U);
  for (std::size_t j = 0; j < 3; ++j) BOOST_TEST(all[j].object.index() == j);
  BOOST_TEST(all[0].found.mean == 2.0);
  BOOST_TEST((all[1].why.code == tgmap::errc::unknown_codec));
  BOOST_TEST(all[1].found.elements == 0U);
  BOOST_TEST((all[2].found.min == tgmap::statistics::exact_number(-1.0)));
  objects.finish();
  BOOST_TEST(all.size() == 3U);
}

BOOST_AUTO_TEST_SUITE_END()
