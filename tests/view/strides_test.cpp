// SPDX-License-Identifier: Apache-2.0
// Strides that permute a dense layout are applied; all others are unsupported.
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/extents.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <vector>

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(strides_test)

namespace {

bytes archive_of(const extents& shape, const extents& strides) {
  bytes payload;
  for (std::uint64_t i = 0; i < product(shape); ++i) payload += static_cast<char>(i);
  message_spec spec;
  spec.objects = {{.dtype = "uint8", .shape = shape, .payload = payload, .strides = strides}};
  return message(spec);
}

/// Visits every index: the value of the element is its place in the payload, so that each place is reached exactly
/// once.
void check_view(const tgmap::array_view<std::uint8_t>& view, const extents& shape, const extents& strides) {
  BOOST_TEST(view.size() == product(shape));
  std::vector<unsigned> reached(view.size());
  extents index(shape.size(), 0);
  for (std::uint64_t k = 0; k < view.size(); ++k) {
    std::uint64_t rest = k;
    for (std::size_t d = shape.size(); d-- > 0; rest /= shape[d]) index[d] = rest % shape[d];
    BOOST_TEST(view.at(index) == place_of(k, shape, strides));
    ++reached[view.at(index)];
  }
  for (const auto n : reached) BOOST_TEST(n == 1u);
}

void check_dense(const extents& shape, const extents& strides) {
  in_every_mode(archive_of(shape, strides), [&](const tgmap::archive& archive) {
    tgmap::failure why;
    const auto view = archive[0][0].view<std::uint8_t>(why);
    TGMAP_SUCCEEDED(why);
    check_view(view, shape, strides);
    // With stride_policy::ignore in C order, whatever the strides are.
    const auto stored = archive[0][0].view<std::uint8_t>(tgmap::stride_policy::ignore);
    BOOST_TEST(stored.is_contiguous());
    for (std::size_t i = 0; i < stored.size(); ++i) BOOST_TEST(stored.values()[i] == i);
  });
}

void check_odd(const extents& shape, const extents& strides) {
  in_every_mode(archive_of(shape, strides), [&](const tgmap::archive& archive) {
    const auto object = archive[0][0];
    tgmap::failure why;
    const auto view = object.view<std::uint8_t>(why);
    TGMAP_FAILED(why, errc::unsupported_strides);
    BOOST_TEST(view.size() == 0u);
    TGMAP_FAILED(object.why_not_in_place(tgmap::dtype::uint8), errc::unsupported_strides);
    if (archive.mode() == tgmap::io_mode::map)
      TGMAP_SUCCEEDED(object.why_not_in_place(tgmap::dtype::uint8, tgmap::stride_policy::ignore));
    const auto stored = object.view<std::uint8_t>(tgmap::stride_policy::ignore);
    BOOST_TEST(stored.size() == product(shape));
    BOOST_TEST(stored.is_contiguous());
    for (std::size_t i = 0; i < stored.size(); ++i) BOOST_TEST(stored.values()[i] == i);
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(row_major) {
  check_dense({2, 3, 4}, {12, 4, 1});
  check_dense({7}, {1});
}

BOOST_AUTO_TEST_CASE(every_permutation_of_a_dense_layout) {
  check_dense({2, 3, 4}, {1, 2, 6});
  check_dense({2, 3, 4}, {12, 1, 3});
  check_dense({2, 3, 4}, {4, 8, 1});
  check_dense({2, 3, 4}, {3, 1, 6});
  check_dense({2, 3, 4}, {1, 8, 2});
  check_dense({2, 2}, {1, 2});
}

BOOST_AUTO_TEST_CASE(extents_of_one_may_have_any_stride) {
  check_dense({1, 3, 1}, {99, 1, 0});
  check_dense({3, 1}, {1, 1000000});
  check_dense({1}, {0});
  check_dense({1, 1}, {~std::uint64_t{0}, std::uint64_t{1} << 63});
  check_dense({2, 1, 3}, {1, 7, 2});
}

BOOST_AUTO_TEST_CASE(a_scalar_has_no_strides) { check_dense({}, {}); }

BOOST_AUTO_TEST_CASE(an_empty_tensor_may_have_any_strides) {
  for (const auto& strides : {extents{4, 1}, extents{0, 0}, extents{1, 3}}) {
    const bytes data = archive_of({0, 4}, strides);
    const auto archive = open(data);
    tgmap::failure why;
    const auto view = archive[0][0].view<std::uint8_t>(why);
    TGMAP_SUCCEEDED(why);
    BOOST_TEST(view.size() == 0u);
    BOOST_TEST(view.is_contiguous());
  }
}

BOOST_AUTO_TEST_CASE(strides_that_skip_overlap_or_overflow_are_unsupported) {
  check_odd({5}, {0});
  check_odd({5}, {2});
  check_odd({3}, {4});
  check_odd({3, 3}, {0, 0});
  check_odd({3, 3}, {3, 3});
  check_odd({3, 3}, {1, 1});
  check_odd({2, 3}, {4, 1});
  check_odd({2, 3}, {1, 3});
  check_odd({2, 3, 4}, {12, 4, 2});
  check_odd({5}, {~std::uint64_t{0}});  // minus one, if read as signed
  check_odd({5}, {std::uint64_t{1} << 63});
  check_odd({2, 2}, {std::uint64_t{1} << 63, 1});
}

BOOST_AUTO_TEST_CASE(the_number_of_strides_must_match) {
  check_odd({5}, {});
  check_odd({5}, {1, 1});
  check_odd({2, 3}, {1});
  check_odd({2, 3}, {3, 1, 1});
}

BOOST_AUTO_TEST_CASE(column_major_is_not_contiguous) {
  const bytes data = archive_of({2, 2}, {1, 2});
  const auto archive = open(data);
  const auto view = archive[0][0].view<std::uint8_t>();
  BOOST_TEST(!view.is_contiguous());
  TGMAP_THROWS(view.values(), errc::not_contiguous);
  BOOST_TEST(view(0, 1) == 2u);
  BOOST_TEST(view(1, 0) == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
