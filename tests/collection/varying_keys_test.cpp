// SPDX-License-Identifier: Apache-2.0
// Keys and arrays that tables of messages show.
#include <boost/test/unit_test.hpp>
#include <support/numbered.hpp>

#include "collection/varying_keys.hpp"
#include "numbered_fields.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(varying_keys)

BOOST_AUTO_TEST_CASE(keys_that_differ_are_chosen_as_far_as_they_fit) {
  const bytes data = field_message({"2t"}, 0) + field_message({"10u"}, 6);
  const auto from = open(data);
  tgmap::archives::varying_keys survey;
  for (const auto& m : from) survey.add(m);
  const auto keys = [&](std::size_t width, std::size_t count) {
    std::string out;
    for (const std::string& each : survey.best(width, count)) out += each + " ";
    return out;
  };
  BOOST_TEST(keys(SIZE_MAX, SIZE_MAX) == "param step ");  // step divides the messages alike, but is usual
  BOOST_TEST(keys(13, SIZE_MAX) == "param step ");        // "param", "step" and two blanks each
  BOOST_TEST(keys(12, SIZE_MAX) == "param ");
  BOOST_TEST(keys(0, SIZE_MAX) == "param ");  // the first one always
  BOOST_TEST(keys(SIZE_MAX, 1) == "param ");
  BOOST_TEST(keys(SIZE_MAX, 0) == "");
}

BOOST_AUTO_TEST_CASE(arrays_are_the_first_one_and_whether_others_differ) {
  const auto numbers = numbers_object<float>("float32", {1, 2});
  const bytes data = message({.objects = {numbers, numbers_object<float>("float32", {1, 2, 3})}}) +
                     message({.objects = {numbers}}) + message({.objects = {numbers, bytes_object("ab")}}) +
                     message({});
  const auto from = open(data);
  const auto several = tgmap::archives::arrays_of(from[0]);
  BOOST_TEST_REQUIRE(several.has_value());
  BOOST_TEST((several->dtype == tgmap::dtype::float32 && several->shape == std::vector<std::uint64_t>{2}));
  BOOST_TEST((!several->dtypes_differ && several->shapes_differ));
  const auto one = tgmap::archives::arrays_of(from[1]), mixed = tgmap::archives::arrays_of(from[2]);
  BOOST_TEST((one && !one->dtypes_differ && !one->shapes_differ));
  BOOST_TEST((mixed && mixed->dtypes_differ && !mixed->shapes_differ));
  BOOST_TEST(!tgmap::archives::arrays_of(from[3]).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
