// SPDX-License-Identifier: Apache-2.0
#include "codec/decompressor.hpp"

#include <boost/test/unit_test.hpp>
#include <set>

using namespace tgmap::codec;

BOOST_AUTO_TEST_SUITE(decompressor_test)

BOOST_AUTO_TEST_CASE(every_compression_is_listed_once) {
  std::set<tgmap::compression> seen;
  for (const auto& each : decompressors()) {
    BOOST_TEST(seen.insert(each.which).second);
    BOOST_TEST(each.library.empty() == each.option.empty());
    BOOST_TEST((find_decompressor(each.which) == (each.is_available() ? &each : nullptr)));
    BOOST_TEST(each.version().empty() == (!each.is_available() || each.library.empty()), each.name);
  }
  BOOST_TEST(seen.size() == 8);
  BOOST_TEST(find_decompressor(tgmap::compression::none) == nullptr);
  BOOST_TEST(find_decompressor(tgmap::compression::other) == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
