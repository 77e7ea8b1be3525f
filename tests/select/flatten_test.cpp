// SPDX-License-Identifier: Apache-2.0
// Metadata as a flat map of dotted keys to text.
#include <boost/test/unit_test.hpp>
#include <map>
#include <support/failures.hpp>

#include "samples.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(flattened)

BOOST_AUTO_TEST_CASE(maps_are_taken_apart_and_all_else_is_text) {
  const bytes data = six_messages();
  const auto archive = open(data);
  const auto keys = tgmap::flatten(archive[1][0].metadata());
  BOOST_TEST(keys.at("name") == "10u");
  BOOST_TEST(keys.at("mars.param") == "10u");
  BOOST_TEST(keys.at("mars.step") == "0");
  BOOST_TEST(keys.at("mars.levelist") == "[500,850]");
  BOOST_TEST(keys.at("x") == "1.5");
  BOOST_TEST(keys.at("ok") == "true");
  BOOST_TEST(keys.count("mars") == 0u);
  for (const auto& [key, text] : keys) {
    const auto found = archive[1][0].metadata().find(key);
    BOOST_TEST_REQUIRE(found.has_value(), key);
    BOOST_TEST(tgmap::key_result(*found).text() == text);
  }
}

BOOST_AUTO_TEST_CASE(keys_with_dots_are_told_as_they_are_found) {
  const bytes data =
      with_keys({cbor::key("a.b", cbor::integer(1)), cbor::key("a", cbor::map({cbor::key("b", cbor::integer(2))})),
                 cbor::key("empty", cbor::map(std::vector<cbor::pair>{}))});
  const auto archive = open(data);
  const auto keys = tgmap::flatten(archive[0][0].metadata());
  BOOST_TEST(keys.at("a.b") == tgmap::key_result(*archive[0][0].metadata().find("a.b")).text());
  BOOST_TEST(keys.at("empty") == "{}");
}

BOOST_AUTO_TEST_CASE(no_metadata_has_no_keys) { BOOST_TEST(tgmap::flatten({}).empty()); }

BOOST_AUTO_TEST_SUITE_END()
