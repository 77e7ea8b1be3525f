// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <set>
#include <string_view>
#include <tgmap/archive.hpp>
#include <tgmap/mapping_guard.hpp>
#include <tgmap/message.hpp>
#include <tgmap/object.hpp>
#include <tgmap/tools/self_test.hpp>

using tgmap::self_test_result;

BOOST_AUTO_TEST_SUITE(self_test)

BOOST_AUTO_TEST_CASE(only_the_guard_can_be_missing_here) {
  std::set<std::string_view> names;
  for (const self_test_result& each : tgmap::run_self_test()) {
    const bool needs_guard = each.name == "cut a file" && !tgmap::mapping_guard::is_installed();
    BOOST_TEST(each.problem == (needs_guard ? "no guard against bus errors is installed" : ""), each.name);
    BOOST_TEST(names.insert(each.name).second);
  }
  BOOST_TEST(names.size() == 5u);
}

BOOST_AUTO_TEST_CASE(the_sample_is_sound) {
  const auto bytes = tgmap::sample_message();
  const auto opened = tgmap::archive::from_memory(bytes);
  BOOST_TEST(opened.size() == 1u);
  BOOST_TEST(opened.gaps().empty());
  for (const auto& each : opened[0].frames()) BOOST_TEST((each.verify() == tgmap::hash_result::match));
  BOOST_TEST(opened[0][0].view<float>()(3) == 4);
}

BOOST_AUTO_TEST_SUITE_END()
