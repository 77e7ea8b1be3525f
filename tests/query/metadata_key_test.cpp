// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/selection_samples.hpp>

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(metadata_keys)

BOOST_AUTO_TEST_CASE(text_is_as_given) {
  for (const char* text : {"", "mars.param", "mars.levelist[0]", "@offset", "shape[1]", "a b", "extra.", "[", ".", "]"})
    BOOST_TEST(tgmap::metadata_key(text).text() == text);
  BOOST_TEST(tgmap::metadata_key().text() == "");
}

BOOST_AUTO_TEST_CASE(copies_are_independent) {
  const bytes data = six_messages();
  const auto archive = open(data);
  tgmap::metadata_key second;
  {
    const tgmap::metadata_key first("mars.param");
    second = first;
  }
  tgmap::key_lookup scope(archive[1]);
  BOOST_TEST(scope.find(second).text() == "10u");
}

BOOST_AUTO_TEST_CASE(at_must_name_a_property) {
  for (const char* text :
       {"@", "@nothing", "@Offset", "@@offset", "@offset ", "@shape[", "@shape[]", "@shape[x]", "@shape[0",
        "@shape[0]x", "@shape[-1]", "@shape[18446744073709551616]", "@offset[0]", "@mars.param", "@dtype.x"}) {
    tgmap::failure why;
    const auto key = tgmap::metadata_key::parse(text, why);
    TGMAP_FAILED(why, errc::bad_key);
    BOOST_TEST(key.text() == "");
    TGMAP_THROWS(tgmap::metadata_key(text), errc::bad_key);
  }
  BOOST_TEST((tgmap::failure{.code = errc::bad_key}.code == tgmap::condition::usage));
}

BOOST_AUTO_TEST_CASE(success_clears_the_failure) {
  tgmap::failure why{.code = errc::damaged};
  (void)tgmap::metadata_key::parse("a", why);
  TGMAP_SUCCEEDED(why);
}

BOOST_AUTO_TEST_CASE(lists_of_keys_are_parsed) {
  const auto keys = tgmap::parse_keys("mars.param, @offset ,,x");
  BOOST_TEST_REQUIRE(keys.size() == 4U);
  BOOST_TEST(keys[0].text() == "mars.param");
  BOOST_TEST(keys[1].text() == "@offset");
  BOOST_TEST(keys[2].text() == "");
  BOOST_TEST(keys[3].text() == "x");
  BOOST_TEST(tgmap::parse_keys("").size() == 1U);
  tgmap::failure why;
  BOOST_TEST(tgmap::parse_keys("x, @ofset,y", why).empty());
  TGMAP_FAILED(why, tgmap::errc::bad_key);
  BOOST_TEST(why.found == 4U);
  BOOST_TEST(why.expected == 6U);
}

BOOST_AUTO_TEST_CASE(odd_keys_are_not_found) {
  const bytes data = six_messages();
  const auto archive = open(data);
  for (const char* text : {"",
                           ".",
                           "..",
                           "extra",
                           "_extra_",
                           "extra.",
                           "extra[0]",
                           "_reserved_",
                           "_reserved_.tensor",
                           "shape[9]",
                           "shape[",
                           "shape[x]",
                           "dtype[0]",
                           "mars.",
                           ".mars",
                           "base",
                           "base[0].name",
                           "base.0.name",
                           "offset",
                           "stored",
                           "message"})
    BOOST_TEST(text_of(archive[0], text) == "-", text);
}

BOOST_AUTO_TEST_SUITE_END()
