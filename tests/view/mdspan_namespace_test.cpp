// SPDX-License-Identifier: Apache-2.0
// as_mdspan with an mdspan that the program names: here a test double that checks the preconditions.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace mdspan_double {

template <class Index, std::size_t Rank>
class dextents {
 public:
  using index_type = Index;
  explicit dextents(const std::array<Index, Rank>& values) : values_(values) {}
  static constexpr std::size_t rank() { return Rank; }
  Index extent(std::size_t d) const { return values_[d]; }

 private:
  std::array<Index, Rank> values_;
};

struct layout_stride {
  template <class Extents>
  class mapping {
   public:
    using strides_type = std::array<typename Extents::index_type, Extents::rank()>;
    mapping(const Extents& extents, const strides_type& strides) : extents_(extents), strides_(strides) {
      // [mdspan.layout.stride.cons]: each is above 0, and in some order each dimension steps over all before it.
      std::array<std::size_t, Extents::rank()> order{};
      for (std::size_t d = 0; d < order.size(); ++d) order[d] = d;
      std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(strides[a], extents.extent(a)) < std::pair(strides[b], extents.extent(b));
      });
      for (std::size_t i = 0; i < order.size(); ++i)
        if (strides[order[i]] == 0 || strides[order[i]] > INT64_MAX ||
            (i > 0 && strides[order[i]] < strides[order[i - 1]] * extents.extent(order[i - 1])))
          throw std::logic_error("a precondition of layout_stride");
    }
    const Extents& extents() const { return extents_; }
    const strides_type& strides() const { return strides_; }

   private:
    Extents extents_;
    strides_type strides_;
  };
};

template <class Element, class Extents, class Layout>
class mdspan {
 public:
  using mapping_type = typename Layout::template mapping<Extents>;
  mdspan(Element* data, const mapping_type& mapping) : data_(data), mapping_(mapping) {}
  Element* data_handle() const { return data_; }
  const mapping_type& mapping() const { return mapping_; }
  template <class... I>
  Element& operator()(I... i) const {
    std::uint64_t at = 0;
    std::size_t d = 0;
    ((at += static_cast<std::uint64_t>(i) * mapping_.strides()[d++]), ...);
    return data_[at];
  }

 private:
  Element* data_;
  mapping_type mapping_;
};

}  // namespace mdspan_double

#define TGMAP_MDSPAN_NAMESPACE mdspan_double
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <tgmap/adapters/mdspan.hpp>
#include <vector>

using tgmap::array_view;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(mdspan_namespace_test)

namespace {

const std::array<int, 6> numbers{1, 2, 3, 4, 5, 6};

array_view<int> view_of(std::vector<std::uint64_t> shape, std::vector<std::int64_t> strides) {
  return {numbers.data(), shape, strides};
}

using strides2 = std::array<std::uint64_t, 2>;

}  // namespace

BOOST_AUTO_TEST_CASE(the_named_mdspan_agrees_with_the_view) {
  for (const auto& strides : {std::vector<std::int64_t>{3, 1}, {1, 2}}) {
    const auto view = view_of({2, 3}, strides);
    const auto span = tgmap::as_mdspan<2>(view);
    using expected =
        mdspan_double::mdspan<const int, mdspan_double::dextents<std::uint64_t, 2>, mdspan_double::layout_stride>;
    static_assert(std::is_same_v<std::remove_cv_t<decltype(span)>, expected>);
    BOOST_TEST(span.data_handle() == numbers.data());
    BOOST_TEST(span.mapping().extents().extent(1) == 3u);
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j) BOOST_TEST(span(i, j) == view(i, j));
  }
}

BOOST_AUTO_TEST_CASE(strides_of_extents_of_one_are_adjusted) {
  BOOST_TEST((tgmap::as_mdspan<2>(view_of({1, 6}, {0, 1})).mapping().strides() == strides2{1, 1}));
  BOOST_TEST((tgmap::as_mdspan<2>(view_of({1, 6}, {-77, 1})).mapping().strides() == strides2{1, 1}));
  BOOST_TEST((tgmap::as_mdspan<2>(view_of({3, 1}, {2, 1000})).mapping().strides() == strides2{2, 1}));
  BOOST_TEST((tgmap::as_mdspan<2>(view_of({0, 3}, {-1, 0})).mapping().strides() == strides2{3, 1}));
  BOOST_TEST((tgmap::as_mdspan<2>(view_of({3, 0}, {0, 0})).mapping().strides() == strides2{1, 1}));
  BOOST_TEST(tgmap::as_mdspan<1>(array_view<int>()).data_handle() == nullptr);
  BOOST_TEST(tgmap::as_mdspan<0>(view_of({}, {}))() == 1);
}

BOOST_AUTO_TEST_CASE(layouts_beyond_layout_stride_are_refused) {
  TGMAP_THROWS(tgmap::as_mdspan<2>(view_of({2, 3}, {-3, 1})), errc::unsupported_strides);
  TGMAP_THROWS(tgmap::as_mdspan<2>(view_of({2, 3}, {3, -1})), errc::unsupported_strides);
  TGMAP_THROWS(tgmap::as_mdspan<2>(view_of({2, 3}, {0, 1})), errc::unsupported_strides);
  TGMAP_THROWS(tgmap::as_mdspan<1>(view_of({2, 3}, {3, 1})), errc::too_many_dimensions);
}

BOOST_AUTO_TEST_SUITE_END()
