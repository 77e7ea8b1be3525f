// SPDX-License-Identifier: Apache-2.0
// Shape and strides: inside for up to six dimensions, in a shared block for more.
#include <tgmap/detail/dimensions.hpp>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <numeric>
#include <thread>
#include <vector>

using tgmap::detail::dimensions;

BOOST_AUTO_TEST_SUITE(dimensions_test)

namespace {

std::vector<std::uint64_t> extents(std::size_t rank, std::uint64_t first = 1) {
  std::vector<std::uint64_t> out(rank);
  std::iota(out.begin(), out.end(), first);
  return out;
}

std::vector<std::int64_t> steps(std::size_t rank, std::int64_t first = -7) {
  std::vector<std::int64_t> out(rank);
  std::iota(out.begin(), out.end(), first);
  return out;
}

bool holds(const dimensions& d, const std::vector<std::uint64_t>& shape, const std::vector<std::int64_t>& strides) {
  return d.rank() == shape.size() && std::ranges::equal(d.shape(), shape) && std::ranges::equal(d.strides(), strides);
}

bool lies_inside(const dimensions& d) {
  const auto* const at = reinterpret_cast<const char*>(d.shape().data());
  const auto* const begin = reinterpret_cast<const char*>(&d);
  return begin <= at && at < begin + sizeof(d);
}

}  // namespace

static_assert(sizeof(dimensions) <= 104);

BOOST_AUTO_TEST_CASE(every_rank_is_kept_and_copied) {
  for (std::size_t rank = 0; rank <= tgmap::max_rank; ++rank)
    for (std::size_t count = 0; count <= tgmap::max_rank; ++count) {
      const auto shape = extents(rank);
      const auto strides = steps(count);
      dimensions all, apart;
      BOOST_REQUIRE(all.set(shape, strides));
      for (const std::int64_t each : strides) BOOST_REQUIRE(apart.add_stride(each));
      for (const std::uint64_t each : shape) BOOST_REQUIRE(apart.add_extent(each));
      BOOST_REQUIRE(holds(all, shape, strides) && holds(apart, shape, strides));
      BOOST_REQUIRE(lies_inside(all) == (rank <= dimensions::inside && count <= dimensions::inside));
      const dimensions copy(all);
      dimensions assigned;
      assigned = copy;
      BOOST_REQUIRE(holds(copy, shape, strides) && holds(assigned, shape, strides));
      BOOST_REQUIRE((copy.shape().data() == all.shape().data()) == !lies_inside(all));
    }
}

BOOST_AUTO_TEST_CASE(a_copy_does_not_see_changes) {
  for (const std::size_t rank : {3u, 6u, 7u, 32u})
    for (const std::size_t then : {0u, 6u, 7u, 31u}) {
      dimensions one;
      BOOST_TEST(one.set(extents(rank), steps(rank)));
      const dimensions before = one;
      BOOST_TEST(one.set(extents(then, 100), steps(then, 50)));
      BOOST_TEST(holds(before, extents(rank), steps(rank)));
      BOOST_TEST(holds(one, extents(then, 100), steps(then, 50)));
      one = before;
      BOOST_TEST(holds(one, extents(rank), steps(rank)));
    }
}

BOOST_AUTO_TEST_CASE(numbers_are_appended_up_to_the_limit) {
  dimensions one;
  std::vector<dimensions> copies;
  for (std::size_t n = 0; n < tgmap::max_rank; ++n) {
    copies.push_back(one);
    BOOST_TEST(one.add_extent(n + 1));
    BOOST_TEST(one.add_stride(static_cast<std::int64_t>(n) - 7));
  }
  BOOST_TEST(!one.add_extent(1));
  BOOST_TEST(!one.add_stride(1));
  BOOST_TEST(holds(one, extents(tgmap::max_rank), steps(tgmap::max_rank)));
  for (std::size_t n = 0; n < copies.size(); ++n) BOOST_TEST(holds(copies[n], extents(n), steps(n)));
  const dimensions before = one;
  one.clear_shape();
  one.clear_strides();
  BOOST_TEST(one.add_extent(5));
  BOOST_TEST(holds(one, {5}, {}));
  BOOST_TEST(holds(before, extents(tgmap::max_rank), steps(tgmap::max_rank)));
}

BOOST_AUTO_TEST_CASE(self_assignment) {
  for (const std::size_t rank : {5u, 9u}) {
    dimensions one;
    BOOST_TEST(one.set(extents(rank), steps(rank)));
    BOOST_TEST(one.set(one.shape().first(4), one.strides().first(4)));
    BOOST_TEST(holds(one, extents(4), steps(4)));
    const dimensions& same = one;
    one = same;
    BOOST_TEST(holds(one, extents(4), steps(4)));
  }
}

BOOST_AUTO_TEST_CASE(copies_are_destroyed_in_any_thread) {
  dimensions shared;
  BOOST_TEST(shared.set(extents(10), steps(10)));
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([copy = shared] {
      for (int n = 0; n < 2000; ++n) {
        dimensions mine(copy);
        mine = copy;
        if (mine.rank() != 10) std::terminate();
      }
    });
  for (auto& each : threads) each.join();
  BOOST_TEST(holds(shared, extents(10), steps(10)));
}

BOOST_AUTO_TEST_SUITE_END()
