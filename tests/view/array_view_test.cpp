// SPDX-License-Identifier: Apache-2.0
// The members of array_view.
#include <array>
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <tgmap/array_view.hpp>
#include <vector>

using tgmap::array_view;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(array_view_test)

BOOST_AUTO_TEST_CASE(a_default_view_is_empty) {
  const array_view<float> none;
  BOOST_TEST(none.rank() == 1u);
  BOOST_TEST(none.size() == 0u);
  BOOST_TEST(none.data() == nullptr);
  BOOST_TEST(none.is_contiguous());
  BOOST_TEST(none.values().empty());
  const std::array<std::uint64_t, 1> first{0};
  TGMAP_THROWS(none.at(first), errc::out_of_range);
}

BOOST_AUTO_TEST_CASE(indices_are_checked_by_at) {
  const std::array<int, 6> data{0, 1, 2, 3, 4, 5};
  const std::array<std::uint64_t, 2> shape{2, 3};
  const std::array<std::int64_t, 2> strides{3, 1};
  const array_view<int> view(data.data(), shape, strides);
  for (std::uint64_t i = 0; i < 3; ++i)
    for (std::uint64_t j = 0; j < 4; ++j) {
      const std::array<std::uint64_t, 2> index{i, j};
      if (i < 2 && j < 3)
        BOOST_TEST(view.at(index) == view(i, j));
      else
        TGMAP_THROWS(view.at(index), errc::out_of_range);
    }
  const std::array<std::uint64_t, 1> one{0};
  TGMAP_THROWS(view.at(one), errc::out_of_range);
  const std::array<std::uint64_t, 2> huge{~std::uint64_t{0}, 0};
  TGMAP_THROWS(view.at(huge), errc::out_of_range);
}

BOOST_AUTO_TEST_CASE(at_takes_indices_as_the_call_operator) {
  const std::array<int, 6> data{0, 1, 2, 3, 4, 5};
  const std::array<std::uint64_t, 2> shape{2, 3};
  const std::array<std::int64_t, 2> strides{3, 1};
  const array_view<int> view(data.data(), shape, strides);
  BOOST_TEST(view.at(1, 2) == 5);
  BOOST_TEST(view.at(1u, 2L) == 5);
  TGMAP_THROWS(view.at(2, 0), errc::out_of_range);
  TGMAP_THROWS(view.at(0, 3), errc::out_of_range);
  TGMAP_THROWS(view.at(-1, 0), errc::out_of_range);
  TGMAP_THROWS(view.at(1), errc::out_of_range);
  TGMAP_THROWS(view.at(1, 2, 0), errc::out_of_range);
  TGMAP_THROWS(view.at(), errc::out_of_range);
}

BOOST_AUTO_TEST_CASE(views_of_every_rank_work_and_are_copied) {
  for (std::size_t rank = 1; rank <= tgmap::max_rank; ++rank) {
    const std::array<int, 2> data{3, 4};
    std::vector<std::uint64_t> shape(rank, 1), index(rank, 0);
    const std::vector<std::int64_t> strides(rank, 1);
    shape.back() = 2;
    index.back() = 1;
    tgmap::failure why;
    array_view<int> copy;
    {
      const array_view<int> view(data.data(), shape, strides, why);
      BOOST_TEST(!why);
      copy = view;
      // For more than six dimensions copies share the block.
      BOOST_TEST((copy.shape().data() == view.shape().data()) == (rank > 6));
    }
    BOOST_TEST(copy.rank() == rank);
    BOOST_TEST(copy.size() == 2u);
    BOOST_TEST(copy.is_contiguous());
    BOOST_TEST(copy.at(index) == 4);
  }
  const std::array<int, 1> data{7};
  const std::vector<std::uint64_t> shape(8, 1);
  const std::vector<std::int64_t> strides(8, 1);
  const array_view<int> view(data.data(), shape, strides);
  BOOST_TEST(view(0, 0, 0, 0, 0, 0, 0, 0) == 7);
}

BOOST_AUTO_TEST_CASE(contiguous_means_c_order) {
  const std::array<int, 6> data{};
  const auto contiguous = [&](std::array<std::uint64_t, 2> shape, std::array<std::int64_t, 2> strides) {
    return array_view<int>(data.data(), shape, strides).is_contiguous();
  };
  BOOST_TEST(contiguous({2, 3}, {3, 1}));
  BOOST_TEST(!contiguous({2, 3}, {1, 2}));
  BOOST_TEST(contiguous({1, 6}, {77, 1}));
  BOOST_TEST(contiguous({6, 1}, {1, 77}));
  BOOST_TEST(contiguous({0, 6}, {77, 77}));
}

BOOST_AUTO_TEST_CASE(a_scalar_is_one_value) {
  const int data = 42;
  const array_view<int> view(&data, {}, {});
  BOOST_TEST(view.rank() == 0u);
  BOOST_TEST(view.size() == 1u);
  BOOST_TEST(view() == 42);
  BOOST_TEST(view.values().size() == 1u);
  BOOST_TEST(view.at({}) == 42);
}

BOOST_AUTO_TEST_SUITE_END()
