// SPDX-License-Identifier: Apache-2.0
// The declarations of fwd.hpp match the definitions, included before them and after them.
#include <tgmap/fwd.hpp>
// Before all others.
#include <tgmap/tgmap.hpp>
// And once more.
#include <boost/test/unit_test.hpp>
#include <tgmap/tools/explain.hpp>
#include <type_traits>

namespace {

/// Uses the declarations only: another namespace or another type of an enumeration would not compile.
struct names_only {
  const tgmap::archive* archive = nullptr;
  tgmap::message* message = nullptr;
  tgmap::object* object = nullptr;
  tgmap::failure* failure = nullptr;
  tgmap::errc code{};
  tgmap::io_mode mode{};
  tgmap::dtype dtype{};
};

}  // namespace

BOOST_AUTO_TEST_SUITE(fwd)

BOOST_AUTO_TEST_CASE(declared_classes_are_the_defined_ones) {
  const names_only names;
  static_assert(std::is_same_v<decltype(names.archive), const tgmap::v0::archive*>);
  static_assert(sizeof(tgmap::message) != 0 && sizeof(tgmap::object) != 0 && sizeof(tgmap::selection) != 0);
  static_assert(sizeof(tgmap::selected_messages) != 0 && sizeof(tgmap::access_report) != 0);
  BOOST_TEST(names.archive == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
