// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <codec/noise.hpp>
#include <cstring>
#include <numeric>
#include <random>
#include <support/failures.hpp>
#include <support/guarded.hpp>
#include <support/rounds.hpp>
#include <tgmap/array_view.hpp>
#include <vector>

#include "encode/source_layout.hpp"

using namespace tgmap::encode;
using namespace tgmap_test;

using tgmap::errc;

using extents = std::vector<std::uint64_t>;
using steps = std::vector<std::int64_t>;

BOOST_AUTO_TEST_SUITE(source_layout_test)

namespace {

/// Returns all elements in C order.
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

BOOST_AUTO_TEST_CASE(all_small_layouts) {
  tgmap_test::case_sampler cases(7);
  unsigned wrong = 0, right = 0;
  for (const std::uint64_t rows : {1, 2, 3})
    for (const std::uint64_t columns : {1, 2, 4})
      for (std::int64_t down = -5; down <= 5; ++down)
        for (std::int64_t along = -5; along <= 5; ++along)
          for (std::uint64_t first = 0; first < 12; ++first)
            for (std::uint64_t available = 0; available < 14; ++available) {
              if (!cases.takes_next()) continue;
              const auto [least, most] = walk({rows, columns}, {down, along});
              const auto begin = static_cast<std::int64_t>(first);
              const bool fits = begin + least >= 0 && begin + most < static_cast<std::int64_t>(available);
              const auto why = check_bounds(extents{rows, columns}, steps{down, along}, first, available);
              wrong += fits == static_cast<bool>(why) || (why && why.found <= available);
              right += fits;
            }
  BOOST_TEST(wrong == 0u);
  BOOST_TEST(right > tgmap_test::rounds(1000u));
}

BOOST_AUTO_TEST_CASE(overflow_is_detected) {
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
    const auto why = check_bounds(shape, strides, 1, 1000);
    TGMAP_FAILED(why, errc::invalid_strides);
    BOOST_TEST(why.expected == 1000u);
    BOOST_TEST(why.found > 1000u);
  }
  TGMAP_FAILED(check_bounds(extents{1}, steps{1}, UINT64_MAX, 10), errc::invalid_strides);
  TGMAP_SUCCEEDED(check_bounds(extents{1}, steps{far}, 9, 10));
  TGMAP_SUCCEEDED(check_bounds(extents{}, steps{}, 0, 1));
  TGMAP_FAILED(check_bounds(extents{}, steps{}, 0, 0), errc::invalid_strides);
}

BOOST_AUTO_TEST_CASE(required_number_of_elements) {
  BOOST_TEST(check_bounds(extents{4}, steps{3}, 0, 9).found == 10u);
  BOOST_TEST(check_bounds(extents{4}, steps{3}, 2, 11).found == 12u);
  BOOST_TEST(check_bounds(extents{4}, steps{-3}, 8, 9).found == 10u);  // one before the first
  BOOST_TEST(check_bounds(extents{3, 2}, steps{-4, 5}, 1, 3).found == 14u);
}

BOOST_AUTO_TEST_CASE(dimensions_are_merged) {
  const auto rank = [](const extents& shape, const steps& strides) { return simplify(shape, strides).rank; };
  BOOST_TEST(rank({}, {}) == 0u);
  BOOST_TEST(rank({1, 1}, {7, -3}) == 0u);
  BOOST_TEST(rank({2, 3, 4}, {12, 4, 1}) == 1u);
  BOOST_TEST(rank({2, 1, 3, 4}, {12, 99, 4, 1}) == 1u);
  BOOST_TEST(rank({2, 3, 4}, {24, 8, 2}) == 1u);
  BOOST_TEST(rank({2, 3, 4}, {-12, -4, -1}) == 1u);
  BOOST_TEST(rank({2, 3, 4}, {0, 0, 0}) == 1u);
  BOOST_TEST(rank({2, 3, 4}, {1, 2, 6}) == 3u);
  BOOST_TEST(rank({2, 3, 4}, {24, 4, 1}) == 2u);

  BOOST_TEST(simplify(extents{2, 3, 4}, steps{12, 4, 1}).in_c_order());
  BOOST_TEST(simplify(extents{5}, steps{1}).in_c_order());
  BOOST_TEST(simplify(extents{}, steps{}).in_c_order());
  BOOST_TEST(!simplify(extents{5}, steps{-1}).in_c_order());
  BOOST_TEST(!simplify(extents{2, 3, 4}, steps{24, 8, 2}).in_c_order());
  BOOST_TEST(simplify(extents{2, 3}, steps{24, 8}).strides[0] == 8);
  BOOST_TEST(simplify(extents{2, 3}, steps{24, 8}).extents[0] == 6u);
}

BOOST_AUTO_TEST_SUITE_END()

using tgmap::encode::simplify;

using extents = std::vector<std::uint64_t>;
using steps = std::vector<std::int64_t>;

BOOST_AUTO_TEST_SUITE(gather_test)

namespace {

/// Gathers element by element, by the definition of strides.
bytes gathered_plainly(std::string_view data, const extents& shape, const steps& strides, std::uint64_t first,
                       std::size_t width) {
  bytes out;
  const std::uint64_t all = std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>());
  for (std::uint64_t n = 0; n < all; ++n) {
    auto at = static_cast<std::int64_t>(first);
    std::uint64_t left = n;
    for (std::size_t d = shape.size(); d-- > 0; left /= shape[d])
      at += static_cast<std::int64_t>(left % shape[d]) * strides[d];
    out += data.substr(static_cast<std::size_t>(at) * width, width);
  }
  return out;
}

/// The number of elements that the strides reach, and the position of the first one.
std::pair<std::uint64_t, std::uint64_t> room_for(const extents& shape, const steps& strides) {
  std::int64_t up = 0, down = 0;
  for (std::size_t d = 0; d < shape.size(); ++d)
    (strides[d] < 0 ? down : up) += static_cast<std::int64_t>(shape[d] - 1) * strides[d];
  return {static_cast<std::uint64_t>(up - down + 1), static_cast<std::uint64_t>(-down)};
}

guarded_bytes& just_what_is_reached() {
  static guarded_bytes memory(std::size_t{8} << 20);
  return memory;
}

bool gathers(const extents& shape, const steps& strides, std::size_t width) {
  const auto [elements, first] = room_for(shape, strides);
  const bytes data = noise(elements * width, static_cast<unsigned>(elements));
  const auto held = just_what_is_reached().hold(data);
  const bytes wanted = gathered_plainly(data, shape, strides, first, width);
  bytes out(wanted.size() + 16, '?');
  tgmap::encode::gather(simplify(shape, strides), width, held.data() + first * width, writable(out).data());
  return out == wanted + bytes(16, '?');
}

constexpr std::size_t widths[] = {1, 2, 4, 8, 16};

}  // namespace

BOOST_AUTO_TEST_CASE(every_order_and_direction_of_dimensions) {
  case_sampler cases(7);
  const extents shape{5, 17, 3, 40};
  for (const std::size_t width : widths) {
    std::vector<std::size_t> order{0, 1, 2, 3};
    unsigned wrong = 0;
    do
      for (unsigned signs = 0; signs < 16; ++signs) {
        if (!cases.takes_next()) continue;
        steps strides(4);
        std::int64_t step = 1;
        for (const std::size_t d : order) {
          strides[d] = (signs >> d & 1) != 0 ? -step : step;
          step *= static_cast<std::int64_t>(shape[d]);
        }
        wrong += !gathers(shape, strides, width);
      }
    while (std::next_permutation(order.begin(), order.end()));
    BOOST_TEST(wrong == 0u, wrong << " of elements of " << width << " bytes");
  }
}

BOOST_AUTO_TEST_CASE(any_strides) {
  std::mt19937 next(7);
  const auto number = [&](int least, int most) { return std::uniform_int_distribution(least, most)(next); };
  unsigned wrong = 0;
  for (unsigned n = 0; n < rounds(3000u); ++n) {
    extents shape(static_cast<std::size_t>(number(0, 5)));
    steps strides(shape.size());
    for (auto& each : shape) each = static_cast<std::uint64_t>(number(1, 7));
    for (auto& each : strides) each = number(-60, 60) / number(1, 12);  // often 0
    wrong += !gathers(shape, strides, widths[n % 5]);
  }
  BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(transposed_tables) {
  case_sampler cases(5);
  for (const std::size_t width : widths)
    for (const std::uint64_t rows : {1, 2, 15, 16, 17, 63, 64, 65, 200})
      for (const std::uint64_t columns : {1, 2, 15, 16, 17, 63, 64, 65, 200}) {
        if (!cases.takes_next()) continue;
        const auto down = static_cast<std::int64_t>(rows);
        BOOST_TEST(gathers({rows, columns}, {1, down}, width), rows << " by " << columns << " of " << width);
        BOOST_TEST(gathers({3, rows, columns}, {-1, 3, 3 * down + 1}, width), rows << " by " << columns);
      }
}

BOOST_AUTO_TEST_CASE(maximum_number_of_dimensions) {
  extents shape(tgmap::max_rank, 1);
  steps strides(tgmap::max_rank);
  std::int64_t step = 1;
  for (std::size_t d = 0; d < shape.size(); d += 3) shape[d] = 2;  // 2^11 elements, none of them adjacent
  for (std::size_t d = 0; d < shape.size(); ++d) {
    strides[d] = step;
    if (shape[d] != 1) step *= 2;
  }
  for (const std::size_t width : widths) BOOST_TEST(gathers(shape, strides, width));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(gather_elements_test)

BOOST_AUTO_TEST_CASE(c_order_is_detected) {
  using extents = std::vector<std::uint64_t>;
  using steps = std::vector<std::int64_t>;
  const auto c = [](const extents& shape, const steps& strides) { return tgmap::is_c_order(shape, strides); };
  BOOST_TEST((c({}, {}) && c({3}, {1}) && c({2, 3}, {3, 1}) && c({1, 3}, {77, 1}) && c({2, 1, 3}, {3, -5, 1})));
  BOOST_TEST((c({0, 3}, {3, 1}) && c({3, 0}, {7, 1}) && c({1}, {-9})));
  BOOST_TEST((!c({3}, {-1}) && !c({3}, {0}) && !c({2, 3}, {1, 2}) && !c({2, 3}, {4, 1}) && !c({3}, {2})));
}

BOOST_AUTO_TEST_CASE(elements_are_gathered_in_c_order) {
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
