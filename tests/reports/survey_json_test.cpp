// SPDX-License-Identifier: Apache-2.0
#include "reports/survey_json.hpp"

#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <tgmap/archive.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(survey_json)

BOOST_AUTO_TEST_CASE(keys_have_values_and_ranges) {
  const tgmap::surveyed_content content{.messages = 2,
                                        .objects = 2,
                                        .keys = {{.path = "step",
                                                  .objects = 2,
                                                  .distinct = 2,
                                                  .values = {{.text = "0"}, {.text = "6"}},
                                                  .range = tgmap::surveyed_range{.first = 0, .last = 6}}},
                                        .dtypes = {{"float32", 2}}};
  BOOST_TEST(tgmap::reports::to_json(content)["keys"].dump() ==
             R"([{"key":"step","objects":2,"distinct":2,"values":["0","6"],"first":0.0,"last":6.0,"step":null}])");
  BOOST_TEST(tgmap::reports::to_json(content)["dtypes"].dump() == R"({"float32":2})");
}

BOOST_AUTO_TEST_CASE(shares_are_ranked_by_size) {
  tgmap::disk_usage used;
  used.parts["small"] = {.count = 1, .bytes = 2};
  used.parts["large"] = {.count = 1, .bytes = 5};
  const auto found = tgmap::reports::to_json("f.tgm", used, "");
  BOOST_TEST(found["bytes"] == 7);
  BOOST_TEST(found["parts"].dump() == R"({"large":{"count":1,"bytes":5},"small":{"count":1,"bytes":2}})");
  BOOST_TEST(found["objects"]["ratio"].is_null());
  BOOST_TEST(!found.contains("keys"));
  BOOST_TEST(tgmap::reports::to_json("f.tgm", used, "param")["keys"].dump() == R"({"param":{}})");
}

BOOST_AUTO_TEST_SUITE_END()
