// SPDX-License-Identifier: Apache-2.0
#include "convert/storage.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <numeric>
#include <vector>

using tgmap::convert::storage;
using tgmap::convert::storage_of;
using numbers = std::vector<std::uint64_t>;

namespace {

void expect(const numbers& shape, const numbers& strides, std::optional<storage> wanted) {
  BOOST_TEST((storage_of(shape, strides) == wanted));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(storages)

BOOST_AUTO_TEST_CASE(c_order) {
  expect({}, {}, storage::c_order);
  expect({5}, {1}, storage::c_order);
  expect({2, 3}, {3, 1}, storage::c_order);
  expect({2, 3, 4}, {12, 4, 1}, storage::c_order);
}

BOOST_AUTO_TEST_CASE(fortran_order) {
  expect({2, 3}, {1, 2}, storage::fortran_order);
  expect({2, 3, 4}, {1, 2, 6}, storage::fortran_order);
}

BOOST_AUTO_TEST_CASE(other_permutations) {
  expect({2, 3, 4}, {4, 8, 1}, storage::permuted);
  expect({2, 3, 4}, {12, 1, 3}, storage::permuted);
  expect({2, 3, 4}, {1, 8, 2}, storage::permuted);
}

BOOST_AUTO_TEST_CASE(extents_of_one_do_not_count) {
  expect({1, 5, 1}, {77, 1, 0}, storage::c_order);
  expect({2, 1, 3}, {1, 999, 2}, storage::fortran_order);
  expect({1}, {0}, storage::c_order);
  expect({1, 1}, {0, 0}, storage::c_order);
}

BOOST_AUTO_TEST_CASE(without_elements_every_order_is_c_order) {
  expect({0}, {1}, storage::c_order);
  expect({3, 0}, {0, 1}, storage::c_order);
  expect({0, 3}, {17, 17}, storage::c_order);
}

BOOST_AUTO_TEST_CASE(what_is_no_permutation_is_nothing) {
  expect({5}, {2}, std::nullopt);
  expect({5}, {0}, std::nullopt);
  expect({2, 3}, {4, 1}, std::nullopt);
  expect({2, 3}, {1, 1}, std::nullopt);
  expect({2, 3}, {3, 3}, std::nullopt);
  expect({2, 3}, {0, 0}, std::nullopt);
  expect({2, 3}, {UINT64_MAX, 1}, std::nullopt);
  expect({2, 3}, {12, 4}, std::nullopt);  // bytes instead of elements
}

BOOST_AUTO_TEST_CASE(as_many_strides_as_dimensions) {
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
    switch (storage_of(shape, strides).value()) {
      case storage::c_order: ++c; break;
      case storage::fortran_order: ++fortran; break;
      case storage::permuted: ++permuted; break;
    }
  } while (std::next_permutation(slowest_first.begin(), slowest_first.end()));
  BOOST_TEST(c == 1);
  BOOST_TEST(fortran == 1);
  BOOST_TEST(permuted == 118);
}

BOOST_AUTO_TEST_SUITE_END()
