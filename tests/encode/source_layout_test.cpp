// SPDX-License-Identifier: Apache-2.0
#include "encode/source_layout.hpp"

#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/rounds.hpp>
#include <vector>

using namespace tgmap::encode;
using tgmap::errc;

using extents = std::vector<std::uint64_t>;
using steps = std::vector<std::int64_t>;

BOOST_AUTO_TEST_SUITE(source_layout_test)

namespace {

/// Every element that the indices reach, one after the other.
struct reached {
  std::int64_t least = 0, most = 0;
};

reached walk(const extents& shape, const steps& strides) {
  reached out;
  std::uint64_t all = 1;
  for (const auto each : shape) all *= each;
  for (std::uint64_t n = 0; n < all; ++n) {
    std::int64_t at = 0;
    std::uint64_t left = n;
    for (std::size_t d = shape.size(); d-- > 0; left /= shape[d])
      at += static_cast<std::int64_t>(left % shape[d]) * strides[d];
    out.least = std::min(out.least, at);
    out.most = std::max(out.most, at);
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_small_reach) {
  tgmap_test::case_sampler cases(7);
  unsigned wrong = 0, right = 0;
  for (const std::uint64_t rows : {1, 2, 3})
    for (const std::uint64_t columns : {1, 2, 4})
      for (std::int64_t down = -5; down <= 5; ++down)
        for (std::int64_t along = -5; along <= 5; ++along)
          for (std::uint64_t first = 0; first < 12; ++first)
            for (std::uint64_t given = 0; given < 14; ++given) {
              if (!cases.takes_next()) continue;
              const auto [least, most] = walk({rows, columns}, {down, along});
              const auto begin = static_cast<std::int64_t>(first);
              const bool fits = begin + least >= 0 && begin + most < static_cast<std::int64_t>(given);
              const auto why = check_reach(extents{rows, columns}, steps{down, along}, first, given);
              wrong += fits == static_cast<bool>(why) || (why && why.found <= given);
              right += fits;
            }
  BOOST_TEST(wrong == 0u);
  BOOST_TEST(right > tgmap_test::rounds(1000u));
}

BOOST_AUTO_TEST_CASE(numbers_that_would_wrap) {
  constexpr std::int64_t far = INT64_MAX, back = INT64_MIN;
  for (const auto& [shape, strides] : std::vector<std::pair<extents, steps>>{
           {{2}, {far}},
           {{2}, {back}},
           {{3, 3}, {far, far}},
           {{UINT64_MAX}, {2}},
           {{UINT64_MAX}, {far}},
           {{std::uint64_t{1} << 32, std::uint64_t{1} << 31}, {std::int64_t{1} << 32, std::int64_t{1} << 33}},
           {{5, 5}, {back, far}},
       }) {
    const auto why = check_reach(shape, strides, 1, 1000);
    TGMAP_FAILED(why, errc::invalid_strides);
    BOOST_TEST(why.expected == 1000u);
    BOOST_TEST(why.found > 1000u);
  }
  TGMAP_FAILED(check_reach(extents{1}, steps{1}, UINT64_MAX, 10), errc::invalid_strides);
  TGMAP_SUCCEEDED(check_reach(extents{1}, steps{far}, 9, 10));
  TGMAP_SUCCEEDED(check_reach(extents{}, steps{}, 0, 1));
  TGMAP_FAILED(check_reach(extents{}, steps{}, 0, 0), errc::invalid_strides);
}

BOOST_AUTO_TEST_CASE(how_many_there_would_have_to_be) {
  BOOST_TEST(check_reach(extents{4}, steps{3}, 0, 9).found == 10u);
  BOOST_TEST(check_reach(extents{4}, steps{3}, 2, 11).found == 12u);
  BOOST_TEST(check_reach(extents{4}, steps{-3}, 8, 9).found == 10u);  // one before the first
  BOOST_TEST(check_reach(extents{3, 2}, steps{-4, 5}, 1, 3).found == 14u);
}

BOOST_AUTO_TEST_CASE(as_few_dimensions_as_will_do) {
  const auto rank = [](const extents& shape, const steps& strides) { return simplified(shape, strides).rank; };
  BOOST_TEST(rank({}, {}) == 0u);
  BOOST_TEST(rank({1, 1}, {7, -3}) == 0u);
  BOOST_TEST(rank({2, 3, 4}, {12, 4, 1}) == 1u);
  BOOST_TEST(rank({2, 1, 3, 4}, {12, 99, 4, 1}) == 1u);
  BOOST_TEST(rank({2, 3, 4}, {24, 8, 2}) == 1u);
  BOOST_TEST(rank({2, 3, 4}, {-12, -4, -1}) == 1u);
  BOOST_TEST(rank({2, 3, 4}, {0, 0, 0}) == 1u);
  BOOST_TEST(rank({2, 3, 4}, {1, 2, 6}) == 3u);
  BOOST_TEST(rank({2, 3, 4}, {24, 4, 1}) == 2u);

  BOOST_TEST(simplified(extents{2, 3, 4}, steps{12, 4, 1}).in_c_order());
  BOOST_TEST(simplified(extents{5}, steps{1}).in_c_order());
  BOOST_TEST(simplified(extents{}, steps{}).in_c_order());
  BOOST_TEST(!simplified(extents{5}, steps{-1}).in_c_order());
  BOOST_TEST(!simplified(extents{2, 3, 4}, steps{24, 8, 2}).in_c_order());
  BOOST_TEST(simplified(extents{2, 3}, steps{24, 8}).strides[0] == 8);
  BOOST_TEST(simplified(extents{2, 3}, steps{24, 8}).extents[0] == 6u);
}

BOOST_AUTO_TEST_SUITE_END()
