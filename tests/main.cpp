// SPDX-License-Identifier: Apache-2.0
#define BOOST_TEST_NO_MAIN
#include <boost/test/unit_test.hpp>
#include <filesystem>

// One main for all test programs: compiling Boost.Test's own takes seconds each. A suite is named after its program.
int main(int argc, char** argv) {
  const auto name_suite = [] {
    auto& suite = boost::unit_test::framework::master_test_suite();
    if (suite.argc > 0) suite.p_name.value = std::filesystem::path(suite.argv[0]).stem().string();
    return true;
  };
  return boost::unit_test::unit_test_main(name_suite, argc, argv);
}
