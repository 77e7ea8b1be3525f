// SPDX-License-Identifier: Apache-2.0
// Enumerators of the component tools have unique names, from which they are found.
#include <boost/test/unit_test.hpp>
#include <support/enum_checks.hpp>
#include <tgmap/tools/compare.hpp>
#include <tgmap/tools/copy.hpp>
#include <tgmap/tools/metadata_edits.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(tools_enum_names)

BOOST_AUTO_TEST_CASE(every_enumerator_has_a_name_of_its_own) {
  const auto counts = enumerators_in(std::filesystem::path(TGMAP_SOURCE_DIR) / "include/tgmap/tools");
  check_names<tgmap::difference_kind>("difference_kind", counts.at("difference_kind"));
  check_names<tgmap::edit_error>("edit_error", counts.at("edit_error"));
  check_names<tgmap::template_error>("template_error", counts.at("template_error"));
}

BOOST_AUTO_TEST_SUITE_END()
