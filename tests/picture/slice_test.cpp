// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <boost/test/unit_test.hpp>
#include <stdexcept>

#include "picture/slice.hpp"

using namespace tgmap::picture;

BOOST_AUTO_TEST_SUITE(slice_test)

namespace {

using shape = std::vector<std::uint64_t>;

std::string resolved(const std::string& text, const shape& shape) { return resolve(parse_slice(text), shape).text(); }

std::string refusal(const std::string& text, const shape& shape) {
  try {
    return "accepted: " + resolved(text, shape);
  } catch (const std::invalid_argument& why) {
    return why.what();
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(parse_and_format) {
  const shape shape{4, 10, 20};
  BOOST_TEST(resolved("[3,:,:]", shape) == "[3, :, :]");
  BOOST_TEST(resolved("3,:,:", shape) == "[3, :, :]");
  BOOST_TEST(resolved(" [ 3 , : , 2 : 5 ] ", shape) == "[3, :, 2:5]");
  BOOST_TEST(resolved("[-1,-3:,:-15]", shape) == "[3, 7:10, 0:5]");
  BOOST_TEST(resolved("[-4,0:10,19]", shape) == "[0, :, 19]");
  BOOST_TEST(resolved("[]", {}) == "[]");
  BOOST_TEST(resolved("", {}) == "[]");
}

BOOST_AUTO_TEST_CASE(ranges_are_clamped_as_in_python) {
  BOOST_TEST(resolved("[5:99]", {10}) == "[5:10]");
  BOOST_TEST(resolved("[-99:2]", {10}) == "[0:2]");
  BOOST_TEST(resolve(parse_slice("[7:3]"), shape{10}).elements() == 0u);
  BOOST_TEST(resolve(parse_slice("[20:30]"), shape{10}).elements() == 0u);
  BOOST_TEST(resolved("[-9223372036854775808:9223372036854775807]", {10}) == "[:]");
}

BOOST_AUTO_TEST_CASE(errors_are_explained) {
  BOOST_TEST(refusal("[3,:", {4, 4}) == "unbalanced brackets in '[3,:'");
  BOOST_TEST(refusal("[", {4}) == "unbalanced brackets in '['");
  BOOST_TEST(refusal("[a]", {4}) == "'a' in '[a]' is not an index or a range such as : or 2:5");
  BOOST_TEST(refusal("[1:2:3]", {4}) == "'2:3' in '[1:2:3]' is not an index or a range such as : or 2:5");
  BOOST_TEST(refusal("[,1]", {4, 4}) == "'[,1]' leaves out a dimension; write : for all of it");
  BOOST_TEST(refusal("[1]", {4, 4}) == "a slice of 1 dimension does not fit the shape [4, 4]");
  BOOST_TEST(refusal("[4,:]", {4, 4}) == "index 4 is out of range for a dimension of 4");
  BOOST_TEST(refusal("[-5,:]", {4, 4}) == "index -5 is out of range for a dimension of 4");
  BOOST_TEST(refusal("[-9223372036854775808]", {4}) ==
             "index -9223372036854775808 is out of range for a dimension of 4");
  BOOST_TEST(refusal("[99999999999999999999]", {4}).find("is not an index") != std::string::npos);
  BOOST_TEST(refusal("[0]", {0}) == "index 0 is out of range for a dimension of 0");
}

BOOST_AUTO_TEST_CASE(the_default_is_the_last_two_dimensions_with_an_extent) {
  BOOST_TEST(default_slice(shape{}).text() == "[]");
  BOOST_TEST(default_slice(shape{7}).text() == "[:]");
  BOOST_TEST(default_slice(shape{5, 7}).text() == "[:, :]");
  BOOST_TEST(default_slice(shape{3, 5, 7}).text() == "[0, :, :]");
  BOOST_TEST(default_slice(shape{2, 3, 5, 7, 1}).text() == "[0, 0, :, :, :]");
  BOOST_TEST(default_slice(shape{1, 5, 7}).is_full());
  BOOST_TEST(default_slice(shape{3, 0, 7, 2}).is_full());
}

BOOST_AUTO_TEST_CASE(ranges_become_axes) {
  BOOST_TEST(full_slice(shape{1, 5, 1, 7}).axes() == (std::vector<std::size_t>{1, 3}),
             boost::test_tools::per_element());
  BOOST_TEST(full_slice(shape{1, 1}).axes().empty());
  BOOST_TEST(resolve(parse_slice("[:,3,2:3]"), shape{4, 5, 6}).axes() == std::vector<std::size_t>{0},
             boost::test_tools::per_element());
  BOOST_TEST(full_slice(shape{2, 3, 4}).elements() == 24u);
  BOOST_TEST(full_slice(shape{}).elements() == 1u);
  BOOST_TEST(full_slice(shape{std::uint64_t{1} << 60, std::uint64_t{1} << 60, 0}).elements() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
