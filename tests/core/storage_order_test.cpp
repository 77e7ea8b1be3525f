// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <numeric>
#include <tgmap/array_view.hpp>
#include <vector>

using tgmap::storage_order;
using numbers = std::vector<std::uint64_t>;

BOOST_AUTO_TEST_SUITE(storages)

namespace {

std::optional<storage_order> storage_order_of(const numbers& shape, const numbers& strides) {
  return tgmap::storage_order_of(shape, std::vector<std::int64_t>(strides.begin(), strides.end()));
}

void expect(const numbers& shape, const numbers& strides, std::optional<storage_order> wanted) {
  BOOST_TEST((storage_order_of(shape, strides) == wanted));
}

}  // namespace

BOOST_AUTO_TEST_CASE(c_order) {
  expect({}, {}, storage_order::c);
  expect({5}, {1}, storage_order::c);
  expect({2, 3}, {3, 1}, storage_order::c);
  expect({2, 3, 4}, {12, 4, 1}, storage_order::c);
}

BOOST_AUTO_TEST_CASE(fortran_order) {
  expect({2, 3}, {1, 2}, storage_order::fortran);
  expect({2, 3, 4}, {1, 2, 6}, storage_order::fortran);
}

BOOST_AUTO_TEST_CASE(other_permutations) {
  expect({2, 3, 4}, {4, 8, 1}, storage_order::permuted);
  expect({2, 3, 4}, {12, 1, 3}, storage_order::permuted);
  expect({2, 3, 4}, {1, 8, 2}, storage_order::permuted);
}

BOOST_AUTO_TEST_CASE(extents_of_one_do_not_count) {
  expect({1, 5, 1}, {77, 1, 0}, storage_order::c);
  expect({2, 1, 3}, {1, 999, 2}, storage_order::fortran);
  expect({1}, {0}, storage_order::c);
  expect({1, 1}, {0, 0}, storage_order::c);
}

BOOST_AUTO_TEST_CASE(without_elements_every_order_is_c_order) {
  expect({0}, {1}, storage_order::c);
  expect({3, 0}, {0, 1}, storage_order::c);
  expect({0, 3}, {17, 17}, storage_order::c);
}

BOOST_AUTO_TEST_CASE(other_strides_have_no_storage_order) {
  expect({5}, {2}, std::nullopt);
  expect({5}, {0}, std::nullopt);
  expect({2, 3}, {4, 1}, std::nullopt);
  expect({2, 3}, {1, 1}, std::nullopt);
  expect({2, 3}, {3, 3}, std::nullopt);
  expect({2, 3}, {0, 0}, std::nullopt);
  expect({2, 3}, {UINT64_MAX, 1}, std::nullopt);
  expect({2, 3}, {12, 4}, std::nullopt);  // bytes instead of elements
}

BOOST_AUTO_TEST_CASE(the_number_of_strides_must_match) {
  expect({2, 3}, {1}, std::nullopt);
  expect({}, {1}, std::nullopt);
  expect({5}, {}, std::nullopt);
  expect({0}, {}, std::nullopt);
}

BOOST_AUTO_TEST_CASE(every_permutation_of_five_dimensions) {
  const numbers shape{2, 3, 4, 5, 6};
  std::vector<std::size_t> slowest_first{0, 1, 2, 3, 4};
  int c = 0, fortran = 0, permuted = 0;
  do {
    numbers strides(5);
    std::uint64_t step = 1;
    for (std::size_t i = 5; i-- > 0;) {
      strides[slowest_first[i]] = step;
      step *= shape[slowest_first[i]];
    }
    switch (storage_order_of(shape, strides).value()) {
      case storage_order::c: ++c; break;
      case storage_order::fortran: ++fortran; break;
      case storage_order::permuted: ++permuted; break;
    }
  } while (std::next_permutation(slowest_first.begin(), slowest_first.end()));
  BOOST_TEST(c == 1);
  BOOST_TEST(fortran == 1);
  BOOST_TEST(permuted == 118);
}

BOOST_AUTO_TEST_SUITE_END()
