// SPDX-License-Identifier: Apache-2.0
// Views made from shape and strides, and their adapters: every order of dimensions of every small shape, with extents
// of 0 and 1.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <numeric>
#include <string>
#include <support/failures.hpp>
#include <tgmap/adapters/mdspan.hpp>
#include <tgmap/adapters/multi_array.hpp>
#include <tgmap/array_view.hpp>
#include <vector>

using tgmap::array_view;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(direct_adapters_test)

namespace {

const std::vector<int>& numbers() {
  static const std::vector<int> all = [] {
    std::vector<int> out(10000);
    std::iota(out.begin(), out.end(), 0);
    return out;
  }();
  return all;
}

template <std::size_t Rank>
using shape_of = std::array<std::uint64_t, Rank>;

/// Dense strides for the dimensions in `order`, fastest first; extents of 1 get `odd`, which must not matter.
template <std::size_t Rank>
std::array<std::int64_t, Rank> strides_in(const shape_of<Rank>& shape, const std::array<std::size_t, Rank>& order,
                                          std::int64_t odd) {
  std::array<std::int64_t, Rank> out{};
  std::int64_t step = 1;
  for (const std::size_t d : order) {
    out[d] = shape[d] == 1 ? odd : step;
    step *= static_cast<std::int64_t>(std::max<std::uint64_t>(shape[d], 1));
  }
  return out;
}

/// Calls `f(index)` for every index of `shape`, the last dimension fastest.
template <std::size_t Rank, class F>
void for_each_index(const shape_of<Rank>& shape, F&& f) {
  if (std::find(shape.begin(), shape.end(), 0u) != shape.end()) return;
  shape_of<Rank> index{};
  for (;;) {
    f(index);
    std::size_t d = Rank;
    while (d > 0 && ++index[d - 1] == shape[d - 1]) index[--d] = 0;
    if (d == 0) return;
  }
}

/// Compares view, MultiArray and mdspan with arithmetic for all shapes with extents below `end`, in all orders.
template <std::size_t Rank>
unsigned check_all(std::uint64_t end) {
  unsigned shapes = 0;
  shape_of<Rank> shape{};
  for (;;) {
    std::array<std::size_t, Rank> order{};
    std::iota(order.begin(), order.end(), std::size_t{0});
    do {
      for (const std::int64_t odd : {1, 0, 7, 1000}) {
        const auto strides = strides_in<Rank>(shape, order, odd);
        const array_view<int> view(numbers().data(), shape, strides);
        const auto array = tgmap::as_multi_array<Rank>(view);
        const auto span = tgmap::as_mdspan<Rank>(view);
        const std::uint64_t n = std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>());
        BOOST_REQUIRE(view.size() == n);
        BOOST_REQUIRE(array.num_elements() == n);
        BOOST_REQUIRE(span.size() == n);
        std::vector<int> in_order;
        unsigned wrong = 0;
        for_each_index<Rank>(shape, [&](const shape_of<Rank>& index) {
          std::int64_t place = 0;
          std::array<boost::multi_array_types::index, Rank> as_index{};
          for (std::size_t d = 0; d < Rank; ++d) {
            place += static_cast<std::int64_t>(index[d]) * strides[d];
            as_index[d] = static_cast<boost::multi_array_types::index>(index[d]);
          }
          const int expected = static_cast<int>(place);
          wrong += view.at(index) != expected;
          wrong += array(as_index) != expected;
          wrong += std::apply([&](auto... i) { return span(i...); }, index) != expected;
          wrong += std::apply([&](auto... i) { return view(i...); }, index) != expected;
          in_order.push_back(expected);
        });
        BOOST_REQUIRE(wrong == 0u);
        bool ascending = true;  // by definition: element i in C order is at i
        for (std::size_t i = 0; i < in_order.size(); ++i) ascending &= in_order[i] == static_cast<int>(i);
        BOOST_REQUIRE(view.is_contiguous() == ascending);
        if (ascending && n > 0)
          BOOST_REQUIRE(std::equal(in_order.begin(), in_order.end(), view.values().begin(), view.values().end()));
        ++shapes;
      }
    } while (std::next_permutation(order.begin(), order.end()));
    std::size_t d = 0;
    while (d < Rank && ++shape[d] == end) shape[d++] = 0;
    if (d == Rank) return shapes;
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_orders_of_all_small_shapes) {
  BOOST_TEST(check_all<1>(20) == 20u * 4u);
  BOOST_TEST(check_all<2>(6) == 36u * 2u * 4u);
  BOOST_TEST(check_all<3>(4) == 64u * 6u * 4u);
  BOOST_TEST(check_all<4>(4) == 256u * 24u * 4u);
  BOOST_TEST(check_all<5>(3) == 243u * 120u * 4u);
}

BOOST_AUTO_TEST_CASE(values_out_of_c_order_are_refused) {
  const shape_of<2> shape{2, 3};
  const std::array<std::int64_t, 2> columns{1, 2}, rows{3, 1};
  TGMAP_THROWS((array_view<int>(numbers().data(), shape, columns).values()), errc::not_contiguous);
  BOOST_TEST((array_view<int>(numbers().data(), shape, rows).values().size() == 6u));
}

BOOST_AUTO_TEST_CASE(a_view_is_a_copy_of_shape_and_strides) {
  shape_of<2> shape{2, 3};
  std::array<std::int64_t, 2> strides{3, 1};
  const array_view<int> view(numbers().data(), shape, strides);
  shape = {9, 9};
  strides = {9, 9};
  BOOST_TEST(view.shape()[0] == 2u);
  BOOST_TEST(view.strides()[0] == 3);
  const auto copy = view;
  BOOST_TEST(copy.shape().data() != view.shape().data());
  BOOST_TEST(copy(1, 2) == 5);
}

BOOST_AUTO_TEST_CASE(dimensions_beyond_the_limit_are_cut) {
  const std::vector<std::uint64_t> shape(tgmap::max_rank + 5, 1);
  const std::vector<std::int64_t> strides(tgmap::max_rank + 5, 1);
  BOOST_TEST(array_view<int>(numbers().data(), shape, strides).rank() == tgmap::max_rank);
  BOOST_TEST(array_view<int>(numbers().data(), std::span(shape).first(3), std::span(strides).first(2)).rank() == 2u);
}

BOOST_AUTO_TEST_CASE(a_span_of_no_dimensions_is_one_value) {
  const array_view<int> scalar(numbers().data() + 7, {}, {});
  const auto span = tgmap::as_mdspan<0>(scalar);
  BOOST_TEST(span.size() == 1u);
  BOOST_TEST(span() == 7);
  static_assert(decltype(span)::rank() == 0);
}

BOOST_AUTO_TEST_CASE(adapters_check_the_rank) {
  const array_view<int> scalar(numbers().data(), {}, {}), empty;
  TGMAP_THROWS(tgmap::as_multi_array<1>(scalar), errc::too_many_dimensions);
  TGMAP_THROWS(tgmap::as_mdspan<1>(scalar), errc::too_many_dimensions);
  TGMAP_THROWS(tgmap::as_mdspan<2>(empty), errc::too_many_dimensions);
  BOOST_TEST(tgmap::as_multi_array<1>(empty).num_elements() == 0u);
  BOOST_TEST(tgmap::as_mdspan<1>(empty).size() == 0u);
}

BOOST_AUTO_TEST_CASE(strides_of_huge_views_do_not_overflow) {
  // Only the first element exists; indexing must reach nothing else.
  const std::uint64_t half = std::uint64_t{1} << 31;
  const shape_of<2> shape{half, half};
  const std::array<std::int64_t, 2> strides{static_cast<std::int64_t>(half), 1};
  const array_view<std::uint8_t> view(nullptr, shape, strides);
  BOOST_TEST(view.size() == half * half);
  BOOST_TEST(view.is_contiguous());
  const shape_of<2> outside{half, 0};
  TGMAP_THROWS(view.at(outside), errc::out_of_range);
}

BOOST_AUTO_TEST_SUITE_END()
