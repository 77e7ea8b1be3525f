// SPDX-License-Identifier: Apache-2.0
// Level full: sizes, NaN and infinity, masks, and what cannot be decoded.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <support/builder.hpp>

#include "collected.hpp"

using namespace tgmap_test;
using tgmap::issue;

BOOST_AUTO_TEST_SUITE(values)

namespace {

constexpr auto full = tgmap::validation::full;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();

collected check_object(object_spec object) { return check(message({.objects = {std::move(object)}}), full); }

}  // namespace

BOOST_AUTO_TEST_CASE(values_that_are_not_finite) {
  const auto found = check_object(numbers_object<double>("float64", {1, 2, not_a_number, infinity}));
  BOOST_TEST(found.the(issue::nan_detected).text == "unexpected NaN at element 2 (not recorded in mask)");
  BOOST_TEST(!found.result.sound());
  const auto other = check_object(numbers_object<float>("float32", {1, -std::numeric_limits<float>::infinity()}));
  BOOST_TEST(other.the(issue::inf_detected).text == "unexpected Inf at element 1 (not recorded in mask)");
  BOOST_TEST(check_object(numbers_object<std::uint64_t>("uint64", {UINT64_MAX})).said() == words{},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(far_into_a_large_object) {
  object_spec object{.dtype = "float64", .shape = {200'000}, .payload = bytes(1'600'000, '\0')};
  BOOST_TEST(check_object(object).said() == words{}, boost::test_tools::per_element());
  object.payload.replace(8 * 190'001, 8, native({not_a_number}));
  BOOST_TEST(check_object(object).the(issue::nan_detected).text.find("element 190001 ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(masks_tell_of_some) {
  object_spec object = numbers_object<double>("float64", {not_a_number, 2, 3});
  object.masks = {{.kind = "nan", .method = "none", .blob = "\x80"}};
  BOOST_TEST(check_object(object).said() == words{}, boost::test_tools::per_element());
  object.masks[0].blob = "\x40";
  BOOST_TEST(check_object(object).said() == words{"error: nan_detected"}, boost::test_tools::per_element());
  object.masks[0].blob = "\x80\x80";
  BOOST_TEST(check_object(object).said() == words{"error: decode_object_failed"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(sizes) {
  object_spec object = bytes_object("abcd");
  object.shape = {5};
  const auto found = check_object(object);
  BOOST_TEST(found.the(issue::decoded_size_mismatch).text == "decoded size 4 != expected 5 (shape [5], dtype uint8)");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_decoded_is_said) {
  object_spec object = bytes_object("not really zstd");
  object.compression = "zstd";
  const auto found = check_object(object);
  BOOST_TEST(found.said() == words{"note: not_decoded"}, boost::test_tools::per_element());
  BOOST_TEST(found.the(issue::not_decoded).text == "values not checked: compression zstd cannot be undone yet");
  BOOST_TEST(found.result.not_decoded == 1u);
  BOOST_TEST(found.messages[0].not_decoded == 1u);
  BOOST_TEST(found.result.sound());
  BOOST_TEST(found.messages[0].hash_verified);

  object_spec masked = numbers_object<double>("float64", {0});
  masked.masks = {{.kind = "nan", .method = "rle", .blob = "\x01\x01"}};
  BOOST_TEST(check_object(masked).the(issue::not_decoded).text ==
             "values not checked: mask by rle cannot be undone yet");
}

BOOST_AUTO_TEST_SUITE_END()
