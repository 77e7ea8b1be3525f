// SPDX-License-Identifier: Apache-2.0
#include "reports/difference_json.hpp"

#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <tgmap/archive.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(difference_json)

BOOST_AUTO_TEST_CASE(differences_have_addresses_and_both_values) {
  const bytes one = message({.objects = {numbers_object<float>("float32", {1, 2})},
                             .base = {cbor::map({cbor::key("step", cbor::integer(1))})}});
  const bytes two = message({.objects = {numbers_object<float>("float32", {1, 5})},
                             .base = {cbor::map({cbor::key("step", cbor::text("1"))})}});
  const auto left = tgmap::archive::from_memory(span_of(one)), right = tgmap::archive::from_memory(span_of(two));
  const tgmap::compared_part of_left{.message = left[0]}, of_right{.message = right[0]};
  const tgmap::comparison found = tgmap::compare(left, of_left, right, of_right);
  BOOST_REQUIRE(found.differences.size() == 2U);
  const tgmap::reports::named_pair pair{
      .left = &of_left, .right = &of_right, .left_file = "a.tgm", .right_file = "b.tgm"};
  BOOST_TEST(to_json(pair, found.differences[0]).dump() ==
             R"x({"what":"metadata","left_message":0,"left_offset":0,"right_message":0,"right_offset":0,)x"
             R"x("left_address":"a.tgm:0:0","right_address":"b.tgm:0:0","object":0,"key":"step",)x"
             R"x("left":"1 (integer)","right":"1 (text)"})x");
  const auto values = to_json(pair, found.differences[1]);
  BOOST_TEST(values["what"] == "values");
  BOOST_TEST(values["first"].dump() == "[1]");
  BOOST_TEST(values["left"] == "2");
  BOOST_TEST(values["right"] == "5");
  BOOST_TEST(values["largest"] == 3.0);
}

BOOST_AUTO_TEST_CASE(long_paths_keep_their_ends) {
  BOOST_TEST(tgmap::reports::shortened_path("abcdefghijklm", 13) == "abcdefghijklm");
  BOOST_TEST(tgmap::reports::shortened_path("abcdefghijklmn", 13) == "abcde...jklmn");
}

BOOST_AUTO_TEST_CASE(elements_have_the_fewest_digits) {
  BOOST_TEST(tgmap::reports::element_text(0.1F) == "0.1");
  BOOST_TEST(tgmap::reports::element_text(std::complex<double>(1, -2)) == "1-2j");
  BOOST_TEST(tgmap::reports::element_text(UINT64_MAX) == "18446744073709551615");
}

BOOST_AUTO_TEST_SUITE_END()
