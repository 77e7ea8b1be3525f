// SPDX-License-Identifier: Apache-2.0
#include "collection/message_walk.hpp"

#include <boost/test/unit_test.hpp>
#include <support/selection_samples.hpp>

BOOST_AUTO_TEST_SUITE(message_walks)

using namespace tgmap_test;

BOOST_AUTO_TEST_CASE(numbers_that_an_address_means) {
  const bytes data = six_messages();
  const auto numbers = [&](const char* address) {
    const auto parsed = tgmap::archive_address::parse(address, [](const std::string& path) { return path == "f"; });
    return tgmap::archives::message_numbers(tgmap::archive::from_memory(span_of(data)), parsed);
  };
  using bounds = tgmap::number_bounds;
  BOOST_TEST((numbers("f") == bounds{0, UINT64_MAX}));
  BOOST_TEST((numbers("f@0") == bounds{0, UINT64_MAX}));
  BOOST_TEST((numbers("f:2") == bounds{2, 3}));
  BOOST_TEST((numbers("f:2..3") == bounds{2, 4}));
  BOOST_TEST((numbers("f:-1") == bounds{5, 6}));
  BOOST_TEST((numbers("f:-2..") == bounds{4, 6}));
  std::uint64_t done = 0;
  const auto from = tgmap::archive::from_memory(span_of(data));
  static_cast<void>(tgmap::archives::message_numbers(from, {.file = "f", .messages = {}, .offset = {}, .objects = {}},
                                                     [&](std::uint64_t bytes) { done = bytes; }));
  BOOST_TEST(done == 0u);  // nothing is scanned
}

BOOST_AUTO_TEST_SUITE_END()
