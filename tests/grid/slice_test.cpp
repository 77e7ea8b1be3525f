// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <boost/test/unit_test.hpp>

#include "grid/slice.hpp"

using namespace tgmap::grids;

BOOST_AUTO_TEST_SUITE(slice_test)

namespace {

using shape = std::vector<std::uint64_t>;

}  // namespace

BOOST_AUTO_TEST_CASE(parts_are_printed_as_slices_are_written) {
  const auto text = [](std::vector<slice::extent> of) { return slice{std::move(of)}.text(); };
  BOOST_TEST(text({{3, 1, 4, true}, {0, 10, 10}, {2, 3, 20}}) == "[3, :, 2:5]");
  BOOST_TEST(text({{1, 1, 4}}) == "[1:2]");
  BOOST_TEST(text({{2, 0, 4}}) == "[2:2]");
  BOOST_TEST(text({{1, 3, 20, false, 4}}) == "[1:10:4]");
  BOOST_TEST(text({{1, 0, 20, false, 4}}) == "[1:1]");
  BOOST_TEST(text({}) == "[...]");
}

BOOST_AUTO_TEST_CASE(the_default_is_the_last_two_dimensions_with_an_extent) {
  BOOST_TEST(default_slice(shape{}).text() == "[...]");
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
  BOOST_TEST((full_slice(shape{1}).axes() == std::vector<std::size_t>{0}));
  BOOST_TEST((full_slice(shape{1, 1}).axes() == std::vector<std::size_t>{1}));
  BOOST_TEST(full_slice(shape{}).axes().empty());
  BOOST_TEST((slice{{{2, 1, 5, true}, {3, 1, 5, true}}}.axes().empty()));
  const slice of_a_line{{{0, 4, 4}, {3, 1, 5, true}, {2, 1, 6}}};
  BOOST_TEST((of_a_line.axes() == std::vector<std::size_t>{0}));
  BOOST_TEST(full_slice(shape{2, 3, 4}).elements() == 24u);
  BOOST_TEST(full_slice(shape{}).elements() == 1u);
  BOOST_TEST(full_slice(shape{std::uint64_t{1} << 60, std::uint64_t{1} << 60, 0}).elements() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
