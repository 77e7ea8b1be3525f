// SPDX-License-Identifier: Apache-2.0
#include "reports/statistics_json.hpp"

#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <tgmap/archive.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(statistics_json)

BOOST_AUTO_TEST_CASE(integers_are_exact_and_missing_numbers_are_null) {
  const bytes data = message({.objects = {numbers_object<std::uint64_t>("uint64", {UINT64_MAX, UINT64_MAX}),
                                          {.dtype = "float32", .shape = {0}},
                                          {.shape = {3}, .payload = "abc", .compression = "unheard"}}});
  const auto in = tgmap::archive::from_memory(span_of(data));
  std::vector<tgmap::reports::json> all;
  tgmap::statistics::object_measurement objects(
      {.max_bytes = 1 << 20}, [&](const auto& each) { all.push_back(tgmap::reports::to_json(each)); });
  for (std::size_t j = 0; j < 3; ++j) objects.add(in[0], in[0][j]);
  objects.finish();
  BOOST_REQUIRE(all.size() == 3U);
  BOOST_TEST(all[0]["min"].dump() == "18446744073709551615");
  BOOST_TEST(all[0]["std"] == 0.0);
  BOOST_TEST(all[0]["name"].is_null());
  for (const char* const name : {"min", "max", "mean", "std"}) BOOST_TEST(all[1][name].is_null(), name);
  BOOST_TEST(all[1]["elements"] == 0);
  BOOST_TEST(all[2]["compression"] == "unheard");
  BOOST_TEST(all[2]["error"].get<std::string>().starts_with("compression unheard: "));
  BOOST_TEST(!all[2].contains("elements"));
}

BOOST_AUTO_TEST_SUITE_END()
