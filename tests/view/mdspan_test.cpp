// SPDX-License-Identifier: Apache-2.0
// strided_span has the members that generic code for mdspan uses.
#include <array>
#include <boost/test/unit_test.hpp>
#include <numeric>
#include <support/failures.hpp>
#include <tgmap/adapters/mdspan.hpp>
#include <type_traits>
#include <vector>

using tgmap::array_view;
using tgmap::errc;
using tgmap::strided_span;

BOOST_AUTO_TEST_SUITE(mdspan_test)

namespace {

/// Sums all elements by the members of mdspan, as generic code does.
template <class Mdspan>
typename Mdspan::value_type sum_of(const Mdspan& m) {
  static_assert(std::is_same_v<typename Mdspan::extents_type, std::remove_cvref_t<decltype(m.extents())>>);
  static_assert(std::is_same_v<typename Mdspan::mapping_type, std::remove_cvref_t<decltype(m.mapping())>>);
  static_assert(std::is_same_v<typename Mdspan::accessor_type, std::remove_cvref_t<decltype(m.accessor())>>);
  static_assert(std::is_same_v<typename Mdspan::layout_type, typename Mdspan::mapping_type::layout_type>);
  static_assert(std::is_same_v<typename Mdspan::mapping_type,
                               typename Mdspan::layout_type::template mapping<typename Mdspan::extents_type>>);
  static_assert(Mdspan::rank() == 2 && Mdspan::extents_type::rank() == 2 && Mdspan::rank_dynamic() == 2);
  using index = typename Mdspan::index_type;
  typename Mdspan::value_type out{};
  for (index i = 0; i < m.extents().extent(0); ++i)
    for (index j = 0; j < m.extent(1); ++j) out += m.accessor().access(m.data_handle(), m.mapping()(i, j));
  return out;
}

const std::array<int, 6> numbers{1, 2, 3, 4, 5, 6};

array_view<int> view_of(std::vector<std::uint64_t> shape, std::vector<std::int64_t> strides,
                        const int* first = numbers.data()) {
  return {first, shape, strides};
}

}  // namespace

static_assert(std::is_trivially_copyable_v<strided_span<float, 4>> && sizeof(strided_span<float, 4>) == 72);
static_assert(strided_span<float, 3>::static_extent(0) == std::dynamic_extent);
static_assert(strided_span<float, 3>::is_always_strided() && !strided_span<float, 3>::is_always_unique());

BOOST_AUTO_TEST_CASE(generic_code_runs_over_it) {
  for (const auto& strides : {std::vector<std::int64_t>{3, 1}, {1, 2}}) {
    const strided_span<int, 2> span(view_of({2, 3}, strides));
    BOOST_TEST(sum_of(span) == 21);
    BOOST_TEST(span.mapping().required_span_size() == 6u);
    BOOST_TEST((span.is_unique() && span.is_exhaustive() && span.is_strided()));
    BOOST_TEST(span.stride(0) == strides[0]);
    BOOST_TEST(!span.empty());
    const strided_span<int, 2> same(span.data_handle(), span.mapping());
    BOOST_TEST((same.mapping() == span.mapping() && same.extents() == span.extents()));
    BOOST_TEST(same.accessor().offset(same.data_handle(), 2) == numbers.data() + 2);
  }
}

BOOST_AUTO_TEST_CASE(dimensions_may_descend) {
  const strided_span<int, 2> span(view_of({2, 3}, {-3, -1}, numbers.data() + 5));
  BOOST_TEST(span(0, 0) == 6);
  BOOST_TEST(span(1, 2) == 1);
  BOOST_TEST(sum_of(span) == 21);
  BOOST_TEST(span.mapping()(1, 2) == -5);
  BOOST_TEST((span.is_unique() && span.is_exhaustive()));
}

BOOST_AUTO_TEST_CASE(layouts_know_whether_they_are_unique_and_exhaustive) {
  const auto properties = [](const array_view<int>& view) {
    const strided_span<int, 2> span(view);
    return std::pair(span.is_unique(), span.is_exhaustive());
  };
  BOOST_TEST((properties(view_of({2, 2}, {3, 1})) == std::pair(true, false)));
  BOOST_TEST((properties(view_of({2, 3}, {0, 1})) == std::pair(false, false)));
  BOOST_TEST((properties(view_of({2, 3}, {1, 1})) == std::pair(false, false)));
  BOOST_TEST((properties(view_of({1, 3}, {0, 1})) == std::pair(true, true)));
  BOOST_TEST((properties(view_of({1, 1}, {0, 0})) == std::pair(true, true)));
  BOOST_TEST((properties(view_of({0, 3}, {0, 0})) == std::pair(true, true)));
  const strided_span<int, 0> scalar(array_view<int>(numbers.data(), {}, {}));
  BOOST_TEST((scalar.is_unique() && scalar.is_exhaustive() && scalar() == 1 && scalar.at() == 1));
}

BOOST_AUTO_TEST_CASE(at_checks_each_index) {
  const strided_span<int, 2> span(view_of({2, 3}, {3, 1}));
  BOOST_TEST(span.at(1, 2) == 6);
  TGMAP_THROWS(span.at(2, 0), errc::out_of_range);
  TGMAP_THROWS(span.at(0, 3), errc::out_of_range);
  TGMAP_THROWS(span.at(0, -1), errc::out_of_range);
}

BOOST_AUTO_TEST_CASE(a_default_view_is_empty) {
  const strided_span<int, 2> none;
  BOOST_TEST(none.empty());
  BOOST_TEST(none.size() == 0u);
  BOOST_TEST(none.data_handle() == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
