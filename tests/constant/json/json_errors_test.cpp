// SPDX-License-Identifier: Apache-2.0
// Code, place and text of each error.
#include "json_errors.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <tgmap/constant/read.hpp>

#include "constant/json/json_reader.hpp"

namespace constant = tgmap::constant;
using tgmap_test::reading;

namespace {

constant::read_options options_of(const tgmap_test::invalid_text& one) {
  constant::read_options out{.extended = one.as == reading::extended,
                             .require_content = one.as == reading::content,
                             .reject_fractions = one.as == reading::whole};
  if (!one.type.empty()) out.type = constant::tensor_type::parse(one.type);
  return out;
}

std::string text_of(const constant::report& report) {
  if (!report) return "nothing";
  const constant::problem& first = report.problems.front();
  return std::string(to_string_view(static_cast<constant::errc>(first.cause.code.value()))) + ' ' + first.text();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(json_errors)

BOOST_AUTO_TEST_CASE(each_error_has_its_place_and_text) {
  for (const auto& one : tgmap_test::invalid_texts) {
    constant::report report;
    const auto read = constant::read_json(one.text, options_of(one), report);
    BOOST_TEST_CONTEXT(one.type << ' ' << one.text) BOOST_TEST(text_of(report) == one.problem);
    BOOST_TEST(read.size() == 0u);
  }
}

/// Small windows, so that values are at their ends.
BOOST_AUTO_TEST_CASE(windows_make_no_difference) {
  for (const auto& one : tgmap_test::invalid_texts)
    for (const std::size_t window : {1, 2, 3, 5, 8, 13, 21, 64}) {
      constant::report report;
      constant::json::read_text({one.text.data(), one.text.size()}, options_of(one), report, window);
      BOOST_TEST_CONTEXT(window << ' ' << one.type << ' ' << one.text) BOOST_TEST(text_of(report) == one.problem);
    }
}

BOOST_AUTO_TEST_SUITE_END()
