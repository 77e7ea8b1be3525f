// SPDX-License-Identifier: Apache-2.0
// Keys that no message has.
#include <boost/test/unit_test.hpp>
#include <support/numbered.hpp>

#include "collection/key_search.hpp"
#include "numbered_fields.hpp"

using namespace tgmap_test;
using tgmap::archive_address;
using tgmap::metadata_key;
using tgmap::selection;
using tgmap::archives::key_search;
using tgmap::archives::selector;

BOOST_AUTO_TEST_SUITE(key_searches)

namespace {

const tgmap::archives::walk_progress no_progress = [](std::uint64_t) {};
const tgmap::archive_address whole{};

std::vector<metadata_key> keys(const std::string& list) { return tgmap::parse_keys(list); }

std::string missing(const key_search& of) {
  std::string out;
  for (const metadata_key& each : of.missing()) out += each.text() + " ";
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(messages_are_examined_until_all_keys_are_found) {
  const bytes data = field_archive("2t", {0, 6, 12});
  const auto from = open(data);
  key_search found(keys("param,step"));
  found.look_in_all(whole, from, false, no_progress);
  BOOST_TEST(found.is_complete());
  BOOST_TEST(found.examined() == 1U);
  key_search absent(keys("stop,step,@object"));
  absent.look_in_all(whole, from, false, no_progress);
  BOOST_TEST(missing(absent) == "stop ");
  BOOST_TEST(absent.examined() == 3U);
  BOOST_TEST(!absent.is_cut());
  BOOST_TEST(absent.nearest(metadata_key("stop")) == "step");
}

BOOST_AUTO_TEST_CASE(a_search_ends_after_enough_messages) {
  const bytes data = field_archive("2t", {0, 6, 12});
  const auto from = open(data);
  key_search search(keys("stop"), 2);
  search.look_in_all(whole, from, false, no_progress);
  BOOST_TEST(search.is_cut());
  BOOST_TEST(search.examined() == 2U);
  key_search exact(keys("stop"), 3);
  exact.look_in_all(whole, from, false, no_progress);
  BOOST_TEST(!exact.is_cut());
}

BOOST_AUTO_TEST_CASE(only_what_is_selected_or_addressed_is_examined) {
  const bytes data = field_message({"2t", "10u"}, 0) + field_message({"msl"}, 6);
  const auto from = open(data);
  key_search search(keys("step"));
  search.look_in_selected(selector(selection("param=none"), false), whole, from, false, no_progress);
  BOOST_TEST(missing(search) == "");  // there was nothing to look in
  BOOST_TEST(!search.is_complete());
  key_search objects(keys("step,level"));
  objects.look_in_selected(selector(selection("param=10u"), false), whole, from, true, no_progress);
  BOOST_TEST(objects.any_objects());
  BOOST_TEST(missing(objects) == "level ");
  key_search addressed(keys("stop"));
  addressed.look_in_all(archive_address::parse("f:1:0", [](const auto& path) { return path == "f"; }), from, true,
                        no_progress);
  BOOST_TEST(addressed.examined() == 1U);
}

BOOST_AUTO_TEST_CASE(keys_without_which_nothing_matches_occur) {
  key_search search(selection("param=2t and (step=0 or level=500)").keys());
  search.add_matched(selection("param=2t and (step=0 or level=500)"));
  const bytes data = field_archive("2t", {0});
  const auto from = open(data);
  search.look_in_all(whole, from, false, no_progress);
  BOOST_TEST(missing(search) == "level ");
}

BOOST_AUTO_TEST_SUITE_END()
