// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the key that is spelled most like one that is not there.
#include <boost/test/unit_test.hpp>

#include "samples.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(nearest_keys)

namespace {

std::string nearest(std::string_view wanted) {
  const bytes data = six_messages();
  const auto archive = open(data);
  return tgmap::key_lookup(archive[0]).nearest_key(wanted);
}

}  // namespace

BOOST_AUTO_TEST_CASE(of_metadata_and_facts) {
  BOOST_TEST(nearest("mars.parm") == "mars.param");
  BOOST_TEST(nearest("mars.parma") == "mars.param");
  BOOST_TEST(nearest("mas.step") == "mars.step");
  BOOST_TEST(nearest("Mars.step") == "mars.step");
  BOOST_TEST(nearest("sorce") == "source");
  BOOST_TEST(nearest("@ofset") == "@offset");
  BOOST_TEST(nearest("dtyp") == "dtype");
}

BOOST_AUTO_TEST_CASE(a_key_without_the_map_it_lies_in) {
  BOOST_TEST(nearest("param") == "mars.param");
  BOOST_TEST(nearest("grib.step") == "mars.step");
}

BOOST_AUTO_TEST_CASE(not_what_is_far_nor_the_key_itself) {
  BOOST_TEST(nearest("wavelength") == "");
  BOOST_TEST(nearest("") == "");
  BOOST_TEST(nearest(std::string(5000, 'a')) == "");
  BOOST_TEST(nearest("mars.param") != "mars.param");
}

BOOST_AUTO_TEST_CASE(metadata_that_cannot_be_read_leaves_the_facts) {
  const bytes data = message({.objects = {bytes_object("abcd")}, .header_metadata = cbor::text("no map")});
  const auto archive = open(data);
  BOOST_TEST(tgmap::key_lookup(archive[0]).nearest_key("@lenght") == "@length");
  BOOST_TEST(tgmap::key_lookup(tgmap::message()).nearest_key("@lenght") == "@length");
}

BOOST_AUTO_TEST_SUITE_END()
