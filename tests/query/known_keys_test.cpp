// SPDX-License-Identifier: Apache-2.0
// The keys that an archive has, for completion and for "did you mean".
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/selection_samples.hpp>
#include <tgmap/query/known_keys.hpp>

using namespace tgmap_test;
using tgmap::key_lookup;
using tgmap::metadata_key;

BOOST_AUTO_TEST_SUITE(known_keys)

namespace {

std::string names_of(const tgmap::known_keys& all) {
  std::string out;
  for (const std::string& each : all.names()) out += each + " ";
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(maps_are_dotted_and_objects_count) {
  const bytes data = six_messages(), named = two_named_objects();
  const auto six = open(data), two = open(named);
  tgmap::known_keys all;
  all.add(six[0]);
  BOOST_TEST(names_of(all) == "mars.class mars.levelist mars.param mars.step name ok source x ");
  all.add(two[0]);
  BOOST_TEST(all.names().contains("unit"));
  BOOST_TEST(all.nearest("mars.stp") == "mars.step");
  BOOST_TEST(all.nearest("@offest") == "@offset");
  BOOST_TEST(all.nearest("nothing.similar") == "");
}

BOOST_AUTO_TEST_CASE(names_and_items_are_bounded) {
  std::vector<cbor::pair> keys;
  for (int i = 0; i < 3000; ++i) keys.push_back(cbor::key("k" + std::to_string(10000 + i), cbor::integer(i)));
  const bytes data = with_keys(keys), long_name = with_keys({cbor::key(std::string(101, 'k'), cbor::integer(1))});
  const auto many = open(data), one = open(long_name);
  tgmap::known_keys all, none;
  all.add(many[0]);
  BOOST_TEST(all.names().size() == 2000);
  none.add(one[0]);
  BOOST_TEST(none.names().empty());
}

BOOST_AUTO_TEST_CASE(keys_that_occur_nowhere_are_missing) {
  const bytes data = six_messages();
  const auto in = open(data);
  tgmap::key_check check({metadata_key("mars.step"), metadata_key("mars.parm"), metadata_key("other")});
  BOOST_TEST(check.missing().empty());  // no message was visited
  for (const tgmap::message& each : in) {
    key_lookup keys(each);
    check.visit(each, keys);
  }
  BOOST_TEST_REQUIRE(check.missing().size() == 2);
  BOOST_TEST(check.missing().front().text() == "mars.parm");
  BOOST_TEST(check.nearest(check.missing().front()) == "mars.param");
  check.add_found("other");
  BOOST_TEST(check.missing().size() == 1);
  check.add_found("mars.parm");
  BOOST_TEST(check.is_complete());
}

BOOST_AUTO_TEST_CASE(nothing_is_missing_if_keys_cannot_be_read) {
  bytes data = with_keys({cbor::key("name", cbor::text("a"))});
  data[data.find("name") - 1] = '\xff';
  const auto in = open(data);
  tgmap::key_check check({metadata_key("other")});
  key_lookup keys(in[0]);
  check.visit(in[0], keys);
  BOOST_TEST(check.missing().empty());
  BOOST_TEST(!check.is_complete());
}

BOOST_AUTO_TEST_SUITE_END()
