// SPDX-License-Identifier: Apache-2.0
#include "encode/gather.hpp"

#include <boost/test/unit_test.hpp>
#include <codec/noise.hpp>
#include <numeric>
#include <random>
#include <support/guarded.hpp>
#include <support/rounds.hpp>
#include <vector>

using namespace tgmap_test;
using tgmap::encode::simplified;

using extents = std::vector<std::uint64_t>;
using steps = std::vector<std::int64_t>;

BOOST_AUTO_TEST_SUITE(gather_test)

namespace {

/// Element by element, as strides are defined.
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

/// The number of elements that those strides reach, and the one at indices 0.
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
  tgmap::encode::gather(simplified(shape, strides), width, held.data() + first * width, writable(out).data());
  return out == wanted + bytes(16, '?');
}

constexpr std::size_t widths[] = {1, 2, 4, 8, 16};

}  // namespace

BOOST_AUTO_TEST_CASE(every_order_of_dimensions_forwards_and_backwards) {
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
    for (auto& each : strides) each = number(-60, 60) / number(1, 12);  // 0 often
    wrong += !gathers(shape, strides, widths[n % 5]);
  }
  BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(tables_the_other_way_round) {
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

BOOST_AUTO_TEST_CASE(as_many_dimensions_as_there_can_be) {
  extents shape(tgmap::max_rank, 1);
  steps strides(tgmap::max_rank);
  std::int64_t step = 1;
  for (std::size_t d = 0; d < shape.size(); d += 3) shape[d] = 2;  // 2^11 elements, and no two of them are neighbours
  for (std::size_t d = 0; d < shape.size(); ++d) {
    strides[d] = step;
    if (shape[d] != 1) step *= 2;
  }
  for (const std::size_t width : widths) BOOST_TEST(gathers(shape, strides, width));
}

BOOST_AUTO_TEST_SUITE_END()
