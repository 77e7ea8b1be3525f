// SPDX-License-Identifier: Apache-2.0
// The runs of a box have each element once, in the order of the payload.
#include "decode/slab_reader.hpp"

#include <boost/test/unit_test.hpp>
#include <map>
#include <random>
#include <tgmap/array_view.hpp>
#include <vector>

using namespace tgmap::decode;

BOOST_AUTO_TEST_SUITE(slab_reader_test)

namespace {

using numbers = std::vector<std::uint64_t>;

/// Returns the position in the box for each position in the payload.
std::map<std::uint64_t, std::uint64_t> places(const numbers& start, const numbers& count, const numbers& stride,
                                              const std::vector<std::int64_t>& strides) {
  std::map<std::uint64_t, std::uint64_t> out;
  std::uint64_t all = 1;
  for (const auto each : count) all *= each;
  for (std::uint64_t i = 0; i < all; ++i) {
    std::uint64_t rest = i, at = 0;
    for (std::size_t d = count.size(); d-- > 0; rest /= count[d])
      at += (start[d] + rest % count[d] * stride[d]) * static_cast<std::uint64_t>(strides[d]);
    out[at] = i;
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(any_box_of_any_layout) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    const std::size_t rank = random() % 5;
    numbers shape, start, count, stride;
    for (std::size_t d = 0; d < rank; ++d) {
      shape.push_back(1 + random() % 6);
      start.push_back(random() % shape[d]);
      stride.push_back(1 + random() % 3);
      count.push_back(1 + random() % ((shape[d] - start[d] - 1) / stride[d] + 1));
    }
    std::vector<std::size_t> order(rank);
    for (std::size_t d = 0; d < rank; ++d) order[d] = d;
    std::shuffle(order.begin(), order.end(), random);
    std::vector<std::int64_t> strides(rank);
    std::int64_t next = 1;
    for (const std::size_t d : order) {
      strides[d] = next;
      next *= static_cast<std::int64_t>(shape[d]);
    }
    const auto expected = places(start, count, stride, strides);

    std::map<std::uint64_t, std::uint64_t> found;
    std::uint64_t last = 0;
    slab_runs runs({start, count, stride}, strides);
    for (bool first = true; !runs.done(); first = false) {
      const run current = runs.current();
      BOOST_TEST_REQUIRE(current.count > 0u);
      BOOST_TEST((first || current.first > last));
      const std::uint64_t some = 1 + random() % current.count;
      for (std::uint64_t i = 0; i < some; ++i)
        found[current.first + i * current.step] = current.box_position + i * current.box_step;
      last = current.first + (some - 1) * current.step;
      runs.skip(some);
    }
    BOOST_TEST_REQUIRE((found == expected), "round " << round);
  }
}

BOOST_AUTO_TEST_CASE(empty_box_has_no_runs) {
  const numbers start{1, 2}, count{3, 0};
  const std::vector<std::int64_t> strides{10, 1};
  BOOST_TEST(slab_runs({start, count, {}}, strides).done());
  BOOST_TEST(slab_runs().done());
}

BOOST_AUTO_TEST_CASE(contiguous_elements_are_one_run) {
  const numbers start{2, 0, 0}, count{3, 4, 5};
  const std::vector<std::int64_t> strides{20, 5, 1};
  const slab_runs runs({start, count, {}}, strides);
  BOOST_TEST(runs.current().first == 40u);
  BOOST_TEST(runs.current().count == 60u);
}

BOOST_AUTO_TEST_CASE(a_scalar_is_one_element) {
  const slab_runs runs({}, {});
  BOOST_TEST(!runs.done());
  BOOST_TEST(runs.current().count == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
