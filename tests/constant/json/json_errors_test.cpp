// SPDX-License-Identifier: Apache-2.0
// What is told of texts that are wrong: the code, the place, and the words.
#include "json_errors.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <tgmap/constant/read.hpp>

#include "constant/json/json_reader.hpp"

namespace constant = tgmap::constant;
using tgmap_test::reading;

namespace {

constant::read_options options_of(const tgmap_test::wrong_text& one) {
  constant::read_options out{.extended = one.as == reading::extended,
                             .require_content = one.as == reading::content,
                             .reject_fractions = one.as == reading::whole};
  if (!one.type.empty()) out.type = constant::tensor_type::parse(one.type);
  return out;
}

std::string told_of(const constant::report& report) {
  if (!report) return "nothing";
  const constant::problem& first = report.problems.front();
  return std::string(to_string_view(static_cast<constant::errc>(first.cause.code.value()))) + ' ' + first.text();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(json_errors)

BOOST_AUTO_TEST_CASE(each_is_told_with_its_place) {
  for (const auto& one : tgmap_test::wrong_texts) {
    constant::report report;
    const auto read = constant::read_json(one.text, options_of(one), report);
    BOOST_TEST_CONTEXT(one.type << ' ' << one.text) BOOST_TEST(told_of(report) == one.told);
    BOOST_TEST(read.size() == 0u);
  }
}

/// Windows of a few bytes: values lie where one ends and the next begins.
BOOST_AUTO_TEST_CASE(windows_change_nothing) {
  for (const auto& one : tgmap_test::wrong_texts)
    for (const std::size_t window : {1, 2, 3, 5, 8, 13, 21, 64}) {
      constant::report report;
      constant::json::read_text({one.text.data(), one.text.size()}, options_of(one), report, window);
      BOOST_TEST_CONTEXT(window << ' ' << one.type << ' ' << one.text) BOOST_TEST(told_of(report) == one.told);
    }
}

BOOST_AUTO_TEST_SUITE_END()
