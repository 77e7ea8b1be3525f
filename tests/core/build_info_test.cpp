// SPDX-License-Identifier: Apache-2.0
// The description of the library.
#include <cbor.h>
#include <boost/test/unit_test.hpp>
#include <boost/version.hpp>
#include <set>
#include <string>
#include <tgmap/build_info.hpp>
#include <tgmap/query/selection.hpp>
#include <tgmap/version.hpp>

#include "parallel/tbb_executor.hpp"

BOOST_AUTO_TEST_SUITE(build_info_test)

BOOST_AUTO_TEST_CASE(the_version_is_that_of_the_headers) {
  const auto info = tgmap::get_build_info();
  BOOST_TEST(info.version == TGMAP_VERSION_STRING);
  BOOST_TEST(info.version == std::to_string(TGMAP_VERSION_MAJOR) + "." + std::to_string(TGMAP_VERSION_MINOR) + "." +
                                 std::to_string(TGMAP_VERSION_PATCH));
}

BOOST_AUTO_TEST_CASE(compiler_and_target_are_stated) {
  const auto info = tgmap::get_build_info();
  BOOST_TEST(info.compiler.find_first_of("0123456789") != info.compiler.npos, info.compiler);
  BOOST_TEST(!info.build_type.empty());
  BOOST_TEST(info.target.find(' ') != info.target.npos, info.target);
}

BOOST_AUTO_TEST_CASE(dependencies_have_version_origin_and_use) {
  std::set<std::string> seen;
  for (const auto& d : tgmap::get_build_info().dependencies) {
    seen.emplace(d.name);
    const bool left_out = (d.name == "RE2" && !tgmap::selection::supports_patterns()) ||
                          (d.name == "oneTBB" && !tgmap::parallel::has_tbb());
    BOOST_TEST(d.version.empty() == left_out, d.name);
    BOOST_TEST(!d.origin.empty(), d.name);
    BOOST_TEST(!d.used_for.empty(), d.name);
  }
  BOOST_TEST(seen == (std::set<std::string>{"Boost", "libcbor", "xxHash", "RE2", "oneTBB", "Highway"}));
}

BOOST_AUTO_TEST_CASE(versions_are_those_of_the_headers) {
  for (const auto& d : tgmap::get_build_info().dependencies) {
    if (d.name == "libcbor") BOOST_TEST(d.version.find(CBOR_VERSION) != d.version.npos, d.version);
    if (d.name == "Boost") {
      const auto minor = std::to_string(BOOST_VERSION / 100 % 1000);
      BOOST_TEST(d.version.find(minor) != d.version.npos, d.version);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
