// SPDX-License-Identifier: Apache-2.0
// Each layout of elements is stored once.
#include "archive/lookup/element_layouts.hpp"

#include <algorithm>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <thread>
#include <vector>

using tgmap::dtype;
using tgmap::detail::element_layout;
using tgmap::detail::element_layouts;

BOOST_AUTO_TEST_SUITE(element_layouts_test)

namespace {

element_layout made(std::vector<std::uint64_t> shape, std::vector<std::int64_t> strides, dtype type = dtype::float64) {
  element_layout out{.type = type, .c_order = true, .size_bytes = 8};
  for (const std::uint64_t extent : shape) out.size_bytes *= extent;
  BOOST_REQUIRE(out.dimensions.set(shape, strides));
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_same_layout_has_the_same_number) {
  element_layouts all(1 << 20);
  BOOST_TEST((all[0] == nullptr));
  const std::vector<element_layout> different{
      made({3, 4}, {4, 1}),
      made({4, 3}, {3, 1}),
      made({3, 4}, {1, 3}),
      made({12}, {1}),
      made({}, {}),
      made({3, 4}, {4, 1}, dtype::int64),
      made(std::vector<std::uint64_t>(12, 2), std::vector<std::int64_t>(12, 1)),
      made(std::vector<std::uint64_t>(13, 2), std::vector<std::int64_t>(13, 1)),
  };
  std::vector<std::uint16_t> numbers;
  for (const auto& each : different) {
    numbers.push_back(all.add(each));
    BOOST_TEST(numbers.back() != 0u);
  }
  for (std::size_t i = 0; i < different.size(); ++i) {
    BOOST_TEST(all.add(different[i]) == numbers[i]);
    const element_layout& kept = *all[numbers[i]];
    BOOST_TEST((kept.type == different[i].type));
    BOOST_TEST(kept.size_bytes == different[i].size_bytes);
    BOOST_TEST(std::ranges::equal(kept.dimensions.shape(), different[i].dimensions.shape()));
    BOOST_TEST(std::ranges::equal(kept.dimensions.strides(), different[i].dimensions.strides()));
  }
  std::ranges::sort(numbers);
  BOOST_TEST((std::ranges::adjacent_find(numbers) == numbers.end()));
  element_layout other_order = different[0];
  other_order.c_order = false;
  BOOST_TEST(all.add(other_order) != all.add(different[0]));
}

BOOST_AUTO_TEST_CASE(the_number_of_layouts_is_limited) {
  for (const std::uint64_t archive : {std::uint64_t{0}, std::uint64_t{4096}, std::uint64_t{1} << 40}) {
    element_layouts all(archive);
    unsigned kept = 0, refused = 0;
    std::vector<std::pair<std::uint16_t, std::uint64_t>> numbers;
    for (std::uint64_t extent = 0; extent < 20'000; ++extent) {
      const std::uint16_t number = all.add(made({extent}, {1}));
      ++(number == 0 ? refused : kept);
      if (number != 0) BOOST_REQUIRE(all[number]->dimensions.shape()[0] == extent);
      if (number != 0) numbers.emplace_back(number, extent);
    }
    for (const auto& [number, extent] : numbers) BOOST_REQUIRE(all[number]->dimensions.shape()[0] == extent);
    BOOST_TEST(kept >= 8u);
    BOOST_TEST(kept < 1u << element_layouts::bits);
    BOOST_TEST(refused > 0u);
    BOOST_TEST(all.add(made({0}, {1})) != 0u, "what is kept is found when there is no more room");
  }
}

BOOST_AUTO_TEST_CASE(layouts_of_one_hash_are_limited) {
  // The size is not hashed. Eight layouts fill all places that a hash has.
  element_layouts all(4096);
  element_layout layout = made({3, 4}, {4, 1});
  std::vector<std::uint16_t> numbers;
  for (std::uint64_t size = 0; size < 10; ++size) {
    layout.size_bytes = size;
    numbers.push_back(all.add(layout));
  }
  BOOST_TEST((numbers == std::vector<std::uint16_t>{1, 2, 3, 4, 5, 6, 7, 8, 0, 0}));
  layout.size_bytes = 7;
  BOOST_TEST(all.add(layout) == 8u);
}

BOOST_AUTO_TEST_CASE(layouts_in_neighbouring_slots_differ_in_one_part) {
  // With 64 slots, some of these layouts meet each other when they are found.
  const std::vector<std::uint64_t> shape{2, 3};
  for (std::int64_t first = 0; first < 60; first += 6) {
    element_layouts all(0);
    std::vector<std::uint16_t> by_strides, by_shape;
    for (std::int64_t step = first; step < first + 6; ++step) {
      const auto extent = static_cast<std::uint64_t>(step);
      element_layout layout = made({2, 3}, {step, 1});
      by_strides.push_back(all.add(layout));
      BOOST_REQUIRE(layout.dimensions.set(std::vector<std::uint64_t>{extent, 7}, std::vector<std::int64_t>{1, 1}));
      by_shape.push_back(all.add(layout));
    }
    for (std::size_t i = 0; i < by_strides.size(); ++i) {
      BOOST_REQUIRE((by_strides[i] != 0u && by_shape[i] != 0u));
      BOOST_TEST(std::ranges::equal(all[by_strides[i]]->dimensions.shape(), shape));
      BOOST_TEST(all[by_strides[i]]->dimensions.strides()[0] == first + static_cast<std::int64_t>(i));
      BOOST_TEST(all[by_shape[i]]->dimensions.shape()[0] == static_cast<std::uint64_t>(first) + i);
    }
  }
}

BOOST_AUTO_TEST_CASE(threads_agree_on_numbers) {
  element_layouts all(1 << 30);
  constexpr std::size_t count = 500;
  std::vector<std::vector<std::uint16_t>> numbers(4, std::vector<std::uint16_t>(count));
  std::atomic<unsigned> wrong{0};
  {
    std::vector<std::jthread> threads;
    for (auto& mine : numbers)
      threads.emplace_back([&] {
        for (std::size_t i = 0; i < count; ++i) {
          element_layout layout{.type = dtype::uint8, .c_order = true, .size_bytes = i};
          const std::uint64_t shape[] = {i};
          const std::int64_t strides[] = {1};
          if (!layout.dimensions.set(shape, strides)) ++wrong;
          mine[i] = all.add(layout);
          if (mine[i] == 0 || all[mine[i]]->size_bytes != i) ++wrong;
        }
      });
  }
  BOOST_TEST(wrong == 0u);
  for (const auto& mine : numbers) BOOST_TEST((mine == numbers[0]));
}

BOOST_AUTO_TEST_SUITE_END()
