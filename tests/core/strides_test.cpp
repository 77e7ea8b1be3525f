// SPDX-License-Identifier: Apache-2.0
// Strides are dense if and only if they reach every element of the payload once: exhaustive, compared with counting.
#include <tgmap/array_view.hpp>

#include <boost/test/unit_test.hpp>
#include <optional>
#include <random>
#include <span>
#include <sstream>
#include <support/extents.hpp>
#include <support/rounds.hpp>
#include <vector>

using namespace tgmap_test;
using tgmap::c_order_strides;

BOOST_AUTO_TEST_SUITE(strides_test)

namespace {

/// Strides as in files; those above INT64_MAX become negative.
std::vector<std::int64_t> signed_strides(const extents& strides) { return {strides.begin(), strides.end()}; }

bool dense_copy(const extents& shape, const extents& strides, std::span<std::int64_t> out) {
  return tgmap::dense_strides(shape, signed_strides(strides), out);
}

std::optional<tgmap::storage_order> storage_order_of(const extents& shape, const extents& strides) {
  return tgmap::storage_order_of(shape, signed_strides(strides));
}

std::string shown(const extents& shape, const extents& strides) {
  std::ostringstream out;
  out << "shape";
  for (const auto e : shape) out << ' ' << e;
  out << ", strides";
  for (const auto s : strides) out << ' ' << s;
  return out.str();
}

/// Steps through every index; checks that the offsets are 0 … n-1, each once.
template <class Strides>
bool each_place_once(const extents& shape, const Strides& strides) {
  const std::uint64_t n = product(shape);
  std::vector<bool> reached(n, false);
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint64_t place = place_of(i, shape, strides);
    if (place >= n || reached[place]) return false;
    reached[place] = true;
  }
  return true;
}

/// Compares with counting; returns true if the strides are dense.
bool check(const extents& shape, const extents& strides) {
  std::vector<std::int64_t> out(shape.size(), -1);
  const bool honoured = dense_copy(shape, strides, out);
  BOOST_REQUIRE_MESSAGE(honoured == each_place_once(shape, strides), shown(shape, strides));
  if (!honoured || product(shape) == 0) return honoured;
  BOOST_REQUIRE_MESSAGE(each_place_once(shape, out), shown(shape, strides) << ": what comes out leaves the payload");
  for (std::size_t d = 0; d < shape.size(); ++d)
    if (shape[d] != 1) BOOST_REQUIRE(static_cast<std::uint64_t>(out[d]) == strides[d]);
  return true;
}

/// Calls `f` for all lists of `rank` numbers below `end`.
template <class F>
void for_all(std::size_t rank, std::uint64_t begin, std::uint64_t end, F&& f) {
  extents list(rank, begin);
  for (;;) {
    f(list);
    std::size_t d = 0;
    while (d < rank && ++list[d] == end) list[d++] = begin;
    if (d == rank) return;
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_strides_of_all_small_shapes) {
  unsigned honoured = 0, tried = 0;
  for (const std::size_t rank : {1u, 2u})
    for_all(rank, 1, 6, [&](const extents& shape) {
      for_all(rank, 0, 30, [&](const extents& strides) { honoured += check(shape, strides), ++tried; });
    });
  BOOST_TEST(tried == 5u * 30u + 25u * 900u);
  BOOST_TEST(honoured > 100u);
  BOOST_TEST(honoured < tried / 2);
}

BOOST_AUTO_TEST_CASE(all_strides_of_all_small_shapes_of_three_dimensions) {
  unsigned honoured = 0;
  for_all(3, 1, 4, [&](const extents& shape) {
    for_all(3, 0, 11, [&](const extents& strides) { honoured += check(shape, strides); });
  });
  BOOST_TEST(honoured > 1000u);
}

BOOST_AUTO_TEST_CASE(all_useful_strides_of_four_dimensions) {
  case_sampler cases(7);
  unsigned honoured = 0;
  for_all(4, 1, 4, [&](const extents& shape) {
    // Only products of extents can be right.
    const std::uint64_t steps[] = {0,
                                   1,
                                   shape[0],
                                   shape[1] * shape[2],
                                   shape[1] * shape[2] * shape[3],
                                   shape[3],
                                   shape[2] * shape[3],
                                   shape[0] * shape[3]};
    for_all(4, 0, 8, [&](const extents& which) {
      if (!cases.takes_next()) return;
      const extents strides{steps[which[0]], steps[which[1]], steps[which[2]], steps[which[3]]};
      honoured += check(shape, strides);
    });
  });
  BOOST_TEST(honoured > rounds(1000u));
}

BOOST_AUTO_TEST_CASE(dense_strides_are_those_of_c_order) {
  const auto dense = [](const extents& shape) {
    std::vector<std::int64_t> out(shape.size());
    c_order_strides(shape, out);
    return out;
  };
  BOOST_TEST((dense({}) == std::vector<std::int64_t>{}));
  BOOST_TEST((dense({5}) == std::vector<std::int64_t>{1}));
  BOOST_TEST((dense({2, 3, 4}) == std::vector<std::int64_t>{12, 4, 1}));
  BOOST_TEST((dense({2, 1, 4}) == std::vector<std::int64_t>{4, 4, 1}));
  BOOST_TEST((dense({2, 0, 4}) == std::vector<std::int64_t>{4, 4, 1}));
  for_all(3, 1, 5, [&](const extents& shape) { BOOST_REQUIRE(each_place_once(shape, dense(shape))); });
}

BOOST_AUTO_TEST_CASE(without_elements_any_strides_are_dense) {
  std::vector<std::int64_t> out(2);
  for (const extents& shape : {extents{0, 4}, extents{4, 0}, extents{0, 0}})
    for (const extents& strides : {extents{0, 0}, extents{UINT64_MAX, UINT64_MAX}, extents{1, 7}})
      BOOST_TEST(dense_copy(shape, strides, out));
  BOOST_TEST(!dense_copy(extents{0, 4}, extents{1}, out), "their number must be right all the same");
}

BOOST_AUTO_TEST_CASE(the_number_of_strides_must_match) {
  std::vector<std::int64_t> out(4);
  BOOST_TEST(dense_copy(extents{}, extents{}, {}));
  BOOST_TEST(!dense_copy(extents{}, extents{1}, {}));
  BOOST_TEST(!dense_copy(extents{2, 3}, extents{3}, std::span(out).first(2)));
  BOOST_TEST(!dense_copy(extents{2, 3}, extents{6, 3, 1}, std::span(out).first(2)));
  BOOST_TEST(!dense_copy(extents{2, 3}, extents{}, std::span(out).first(2)));
}

BOOST_AUTO_TEST_CASE(strides_in_bytes_are_divided_by_the_size_of_an_element) {
  unsigned in_bytes = 0;
  for (const std::uint64_t size : {1u, 2u, 4u, 8u, 16u})
    for_all(2, 1, 5, [&](const extents& shape) {
      for_all(2, 0, 26, [&](const extents& strides) {
        // Extents of 1 say nothing, so their strides are divided in any way.
        extents divided = strides;
        bool can_divide = true;
        for (std::size_t d = 0; d < 2; ++d) {
          can_divide = can_divide && (shape[d] == 1 || strides[d] % size == 0);
          divided[d] /= size;
        }
        const bool in_elements = each_place_once(shape, strides);
        const bool expected = in_elements || (can_divide && each_place_once(shape, divided));
        std::vector<std::int64_t> out(2, -1);
        BOOST_REQUIRE_MESSAGE(tgmap::dense_strides(shape, signed_strides(strides), size, out) == expected,
                              shown(shape, strides) << ", size " << size);
        if (!expected) return;
        for (std::size_t d = 0; d < 2; ++d)
          if (shape[d] != 1) BOOST_REQUIRE(static_cast<std::uint64_t>(out[d]) == (in_elements ? strides : divided)[d]);
        in_bytes += !in_elements;
      });
    });
  BOOST_TEST(in_bytes > 50u);
}

BOOST_AUTO_TEST_CASE(a_size_of_nothing_allows_elements_only) {
  std::vector<std::int64_t> out(2);
  const auto dense = [&](const extents& shape, const extents& strides) {
    return tgmap::dense_strides(shape, signed_strides(strides), 0, out);
  };
  BOOST_TEST(dense({2, 8}, {8, 1}));
  BOOST_TEST(dense({1, 1}, {5, 0}));
  BOOST_TEST(!dense({2, 8}, {0, 0}));
  BOOST_TEST(!dense({2, 8}, {1, 0}));
  BOOST_TEST(!dense({2, 8}, {64, 8}));
}

BOOST_AUTO_TEST_CASE(huge_strides_in_bytes_do_not_overflow) {
  std::vector<std::int64_t> out(3);
  constexpr std::uint64_t half = std::uint64_t{1} << 31;
  const auto dense = [&](const extents& shape, const extents& strides) {
    return tgmap::dense_strides(shape, signed_strides(strides), 8, out);
  };
  BOOST_TEST(dense({2, half, half / 16}, {half * half / 2, half / 2, 8}));
  BOOST_TEST((out == std::vector<std::int64_t>{static_cast<std::int64_t>(half * (half / 16)),
                                               static_cast<std::int64_t>(half / 16), 1}));
  // In 64 bits the first stride would be 0, as the product of the others.
  BOOST_TEST(!dense({2, half, half}, {0, 8 * half, 8}));
  BOOST_TEST(!dense({2, half, 4 * half}, {0, 32 * half, 8}));
  BOOST_TEST(!dense({2, half, half}, {UINT64_MAX, 8 * half, 8}));
}

BOOST_AUTO_TEST_CASE(strides_that_would_wrap_around_are_refused) {
  std::vector<std::int64_t> out(2);
  // In 64 bits the second row would begin at 3, as it should.
  BOOST_TEST(!dense_copy(extents{2, 3}, extents{3, UINT64_MAX}, out));
  BOOST_TEST(!dense_copy(extents{2, 3}, extents{std::uint64_t{1} << 63, 1}, out));
  BOOST_TEST(!dense_copy(extents{2, 2}, extents{std::uint64_t{1} << 63, std::uint64_t{1} << 63}, out));
}

BOOST_AUTO_TEST_CASE(descending_strides_are_not_dense) {
  std::vector<std::int64_t> out(2);
  const extents shape{2, 3};
  for (const std::vector<std::int64_t>& strides :
       {std::vector<std::int64_t>{-3, 1}, {3, -1}, {-3, -1}, {INT64_MIN, 1}, {3, INT64_MIN}, {INT64_MAX, 1}})
    BOOST_TEST(!tgmap::dense_strides(shape, strides, out));
}

BOOST_AUTO_TEST_CASE(huge_shapes_are_judged_without_counting) {
  constexpr std::uint64_t half = std::uint64_t{1} << 31;
  std::vector<std::int64_t> out(3);
  BOOST_TEST(dense_copy(extents{half, 2, half}, extents{2 * half, half, 1}, out));
  BOOST_TEST(dense_copy(extents{half, 2, half}, extents{1, half * half, half}, out));
  BOOST_TEST(!dense_copy(extents{half, 2, half}, extents{2 * half, half + 1, 1}, out));
}

BOOST_AUTO_TEST_CASE(the_maximum_number_of_dimensions) {
  const extents shape(32, 2);
  extents strides(32);
  std::mt19937 random(1);
  for (std::size_t d = 0; d < 32; ++d) strides[d] = std::uint64_t{1} << d;
  std::vector<std::int64_t> out(32);
  for (unsigned round = 0; round < 100; ++round) {
    std::shuffle(strides.begin(), strides.end(), random);
    BOOST_REQUIRE(dense_copy(shape, strides, out));
    for (std::size_t d = 0; d < 32; ++d) BOOST_REQUIRE(static_cast<std::uint64_t>(out[d]) == strides[d]);
    extents doubled = strides;
    doubled[round % 32] *= 2;
    BOOST_REQUIRE(!dense_copy(shape, doubled, out));
  }
}

BOOST_AUTO_TEST_CASE(ranks_beyond_the_limit_are_refused) {
  const extents shape(33, 1), strides(33, 1);
  std::vector<std::int64_t> out(33);
  BOOST_TEST(!dense_copy(shape, strides, out));
  BOOST_TEST(!storage_order_of(shape, strides));
}

BOOST_AUTO_TEST_CASE(storage_orders_of_all_small_shapes) {
  unsigned seen[4] = {};
  for_all(3, 1, 4, [&](const extents& shape) {
    for_all(3, 0, 10, [&](const extents& strides) {
      const auto order = storage_order_of(shape, strides);
      BOOST_REQUIRE(order.has_value() == each_place_once(shape, strides));
      if (!order) return;
      // In C order the offsets ascend with the last index fastest, in Fortran order with the first.
      bool c = true, fortran = true;
      for (std::uint64_t i = 0; i < product(shape); ++i) {
        const std::uint64_t place = place_of(i, shape, strides);
        c &= place == i;
        fortran &= place == place_of(i, shape, extents{1, shape[0], shape[0] * shape[1]});
      }
      const auto expected = c         ? tgmap::storage_order::c
                            : fortran ? tgmap::storage_order::fortran
                                      : tgmap::storage_order::permuted;
      BOOST_REQUIRE_MESSAGE((*order == expected), shown(shape, strides));
      ++seen[static_cast<unsigned>(*order)];
    });
  });
  for (unsigned order = 0; order < 3; ++order) BOOST_TEST(seen[order] > 10u);
}

BOOST_AUTO_TEST_SUITE_END()
