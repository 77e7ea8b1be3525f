// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <numeric>
#include <random>
#include <tgmap/array_view.hpp>
#include <vector>

BOOST_AUTO_TEST_SUITE(gather_elements)

BOOST_AUTO_TEST_CASE(c_order_is_told) {
  using extents = std::vector<std::uint64_t>;
  using steps = std::vector<std::int64_t>;
  const auto c = [](const extents& shape, const steps& strides) { return tgmap::is_c_order(shape, strides); };
  BOOST_TEST((c({}, {}) && c({3}, {1}) && c({2, 3}, {3, 1}) && c({1, 3}, {77, 1}) && c({2, 1, 3}, {3, -5, 1})));
  BOOST_TEST((c({0, 3}, {3, 1}) && c({3, 0}, {7, 1}) && c({1}, {-9})));
  BOOST_TEST((!c({3}, {-1}) && !c({3}, {0}) && !c({2, 3}, {1, 2}) && !c({2, 3}, {4, 1}) && !c({3}, {2})));
}

BOOST_AUTO_TEST_CASE(elements_come_in_c_order_whatever_their_strides) {
  std::mt19937 chance(5);
  for (int round = 0; round < 300; ++round) {
    const std::size_t rank = chance() % 5, width = std::size_t{1} << chance() % 5;
    std::vector<std::uint64_t> shape(rank);
    std::vector<std::int64_t> strides(rank);
    for (auto& extent : shape) extent = chance() % 7 + (round % 10 != 0);
    std::int64_t lowest = 0, highest = 0;
    std::uint64_t count = 1;
    for (std::size_t d = 0; d < rank; ++d) {
      strides[d] = static_cast<std::int64_t>(chance() % 41) - 20;
      (strides[d] < 0 ? lowest : highest) += strides[d] * std::max<std::int64_t>(0, shape[d] - 1);
      count *= shape[d];
    }
    std::vector<unsigned char> from((highest - lowest + 1) * width), to(count * width), wanted;
    std::iota(from.begin(), from.end(), static_cast<unsigned char>(round));
    const unsigned char* origin = from.data() - lowest * static_cast<std::int64_t>(width);
    for (std::uint64_t i = 0; i < count; ++i) {
      std::int64_t at = 0;
      std::uint64_t rest = i;
      for (std::size_t d = rank; d-- > 0; rest /= shape[d])
        at += static_cast<std::int64_t>(rest % shape[d]) * strides[d];
      wanted.insert(wanted.end(), origin + at * static_cast<std::int64_t>(width),
                    origin + (at + 1) * static_cast<std::int64_t>(width));
    }
    tgmap::gather_elements(reinterpret_cast<const std::byte*>(origin), width, shape, strides,
                           reinterpret_cast<std::byte*>(to.data()));
    BOOST_TEST((to == wanted), "round " << round);
  }
}

BOOST_AUTO_TEST_SUITE_END()
