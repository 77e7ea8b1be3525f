// SPDX-License-Identifier: Apache-2.0
// Views as Boost.MultiArray and as mdspan have the same data and elements.
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <tgmap/adapters/mdspan.hpp>
#include <tgmap/adapters/multi_array.hpp>

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(adapters_test)

namespace {

bytes archive_of(std::vector<std::uint64_t> shape, std::vector<std::uint64_t> strides) {
  std::uint64_t n = 1;
  for (const auto e : shape) n *= e;
  bytes payload;
  for (std::uint64_t i = 0; i < n; ++i) payload += static_cast<char>(i);
  message_spec spec;
  spec.objects = {{.dtype = "uint8", .shape = std::move(shape), .payload = payload, .strides = std::move(strides)}};
  return message(spec);
}

}  // namespace

BOOST_AUTO_TEST_CASE(both_adapters_agree_with_the_view) {
  for (const auto& strides :
       {std::vector<std::uint64_t>{12, 4, 1}, {1, 2, 6}, {12, 1, 3}, {4, 8, 1}, {3, 1, 6}, {1, 8, 2}}) {
    const bytes data = archive_of({2, 3, 4}, strides);
    const auto archive = open(data);
    const auto view = archive[0][0].view<std::uint8_t>();
    const auto array = tgmap::as_multi_array<3>(view);
    const auto span = tgmap::as_mdspan<3>(view);
    BOOST_TEST(array.data() == view.data());
    BOOST_TEST(span.data_handle() == view.data());
    BOOST_TEST(span.size() == 24u);
    for (std::size_t d = 0; d < 3; ++d) {
      BOOST_TEST(array.shape()[d] == view.shape()[d]);
      BOOST_TEST(array.strides()[d] == view.strides()[d]);
      BOOST_TEST(span.extent(d) == view.shape()[d]);
      BOOST_TEST(span.stride(d) == view.strides()[d]);
    }
    for (long i = 0; i < 2; ++i)
      for (long j = 0; j < 3; ++j)
        for (long k = 0; k < 4; ++k) {
          BOOST_TEST(array[i][j][k] == view(i, j, k));
          BOOST_TEST(span(i, j, k) == view(i, j, k));
        }
  }
}

BOOST_AUTO_TEST_CASE(extents_of_one_may_have_any_stride) {
  const bytes data = archive_of({1, 3, 1, 2}, {77, 2, 0, 1});
  const auto archive = open(data);
  const auto view = archive[0][0].view<std::uint8_t>();
  const auto array = tgmap::as_multi_array<4>(view);
  const auto span = tgmap::as_mdspan<4>(view);
  for (long j = 0; j < 3; ++j)
    for (long k = 0; k < 2; ++k) {
      BOOST_TEST(array[0][j][0][k] == j * 2 + k);
      BOOST_TEST(span(0, j, 0, k) == j * 2 + k);
    }
}

BOOST_AUTO_TEST_CASE(extents_of_one_between_column_major_ones) {
  const bytes data = archive_of({2, 1, 3}, {1, 9, 2});
  const auto archive = open(data);
  const auto view = archive[0][0].view<std::uint8_t>();
  const auto array = tgmap::as_multi_array<3>(view);
  for (long i = 0; i < 2; ++i)
    for (long k = 0; k < 3; ++k) BOOST_TEST(array[i][0][k] == i + 2 * k);
}

BOOST_AUTO_TEST_CASE(another_rank_is_refused) {
  const bytes data = archive_of({2, 3}, {3, 1});
  const auto archive = open(data);
  const auto view = archive[0][0].view<std::uint8_t>();
  TGMAP_THROWS(tgmap::as_multi_array<1>(view), errc::too_many_dimensions);
  TGMAP_THROWS(tgmap::as_multi_array<3>(view), errc::too_many_dimensions);
  TGMAP_THROWS(tgmap::as_mdspan<1>(view), errc::too_many_dimensions);
  TGMAP_THROWS(tgmap::as_mdspan<3>(view), errc::too_many_dimensions);
}

BOOST_AUTO_TEST_CASE(empty_views_adapt_too) {
  const bytes data = archive_of({0, 3}, {3, 1});
  const auto archive = open(data);
  const auto view = archive[0][0].view<std::uint8_t>();
  BOOST_TEST(tgmap::as_multi_array<2>(view).num_elements() == 0u);
  BOOST_TEST(tgmap::as_mdspan<2>(view).size() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
