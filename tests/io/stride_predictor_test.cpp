// SPDX-License-Identifier: Apache-2.0
// Repeating lengths are predicted, others are not.
#include "io/read_ahead.hpp"

#include <boost/test/unit_test.hpp>
#include <random>
#include <vector>

using tgmap::io::stride_predictor;

BOOST_AUTO_TEST_SUITE(stride_predictor_test)

namespace {

/// Returns how many of `count` lengths of a sequence were predicted.
template <class Sequence>
std::size_t predicted(Sequence&& length_of, std::size_t count) {
  stride_predictor learned;
  std::size_t right = 0;
  for (std::size_t n = 0; n < count; ++n) {
    if (learned.predictable() > 0) right += learned.predicted(0) == length_of(n);
    learned.add(length_of(n));
  }
  return right;
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_length_is_predicted_after_two_repetitions) {
  BOOST_TEST(predicted([](std::size_t) { return 77u; }, 1000) == 998u);
}

BOOST_AUTO_TEST_CASE(cycles_are_predicted_after_two_repetitions) {
  for (std::size_t period = 1; period <= stride_predictor::max_period; ++period) {
    const auto right = predicted([&](std::size_t n) { return 100 + n % period; }, 5 * period);
    BOOST_TEST(right == 3 * period);
  }
}

BOOST_AUTO_TEST_CASE(cycles_that_hold_one_length_twice_are_learned_as_well) {
  const std::vector<unsigned> cycle{10, 10, 11, 10, 10, 10, 12};
  stride_predictor learned;
  for (std::size_t n = 0; n < 100; ++n) {
    (void)learned.predictable();
    learned.add(cycle[n % cycle.size()]);
  }
  BOOST_REQUIRE(learned.predictable() > 20u);
  for (std::size_t k = 0; k < learned.predictable(); ++k)
    BOOST_REQUIRE(learned.predicted(k) == cycle[(100 + k) % cycle.size()]);
}

BOOST_AUTO_TEST_CASE(predictions_grow_with_success_and_end_with_a_miss) {
  stride_predictor learned;
  BOOST_TEST(learned.predictable() == 0u);
  learned.add(5);
  BOOST_TEST(learned.predictable() == 0u);
  learned.add(5);
  BOOST_TEST(learned.predictable() == 1u);
  std::size_t last = 1;
  for (unsigned n = 0; n < 40; ++n) {
    BOOST_TEST(learned.add(5));
    BOOST_TEST(learned.predictable() >= last);
    last = learned.predictable();
  }
  BOOST_TEST(last == 32u);
  BOOST_TEST(!learned.add(6));
  BOOST_TEST(learned.predictable() == 0u);
}

BOOST_AUTO_TEST_CASE(irregular_lengths_are_not_predicted) {
  BOOST_TEST(predicted([](std::size_t n) { return n; }, 1000) == 0u);
  std::mt19937 random(1);
  std::vector<unsigned> lengths(1000);
  for (auto& l : lengths) l = random();
  BOOST_TEST(predicted([&](std::size_t n) { return lengths[n]; }, lengths.size()) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
