// SPDX-License-Identifier: Apache-2.0
// Every test of this executable runs with a mapping_guard.
#include <boost/test/unit_test.hpp>
#include <tgmap/mapping_guard.hpp>

namespace {

struct installed {
  installed() { BOOST_REQUIRE(!tgmap::mapping_guard::install()); }
};

}  // namespace

BOOST_TEST_GLOBAL_FIXTURE(installed);
