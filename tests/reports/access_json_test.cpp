// SPDX-License-Identifier: Apache-2.0
#include "reports/access_json.hpp"

#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <support/temporary.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(access_json)

BOOST_AUTO_TEST_CASE(a_report_names_the_object_and_the_steps) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", message({.objects = {bytes_object("12")}}));
  const auto found = tgmap::reports::to_json("f.tgm", tgmap::explain_access(path, {.message = 0, .object = 0}));
  BOOST_TEST(found["file"] == "f.tgm");
  BOOST_TEST(found["message"] == 0);
  BOOST_TEST(found["shape"].dump() == "[2]");
  BOOST_TEST(found["stored"] == 2);
  BOOST_TEST(found["in_place"] == true);
  BOOST_TEST(found["reason"].is_null());
  BOOST_TEST(!found["steps"].empty());
  BOOST_TEST(found["index"].dump() == R"({"used":false,"current":false,"reason":null})");
}

BOOST_AUTO_TEST_CASE(without_an_index_everything_is_read) {
  const bytes data = message({.objects = {bytes_object("12")}});
  const auto in = tgmap::archive::from_memory(span_of(data));
  const tgmap::reports::index_coverage found(in, {});
  BOOST_TEST(found.bytes_after == data.size());
  const auto text = to_json("f.tgm", found, "a=1", true);
  BOOST_TEST(text["of"] == "objects");
  BOOST_TEST(text["selected"] == 0);
  BOOST_TEST(text["bytes_after_index"] == data.size());
}

BOOST_AUTO_TEST_SUITE_END()
