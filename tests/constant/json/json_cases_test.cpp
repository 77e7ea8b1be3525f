// SPDX-License-Identifier: Apache-2.0
// Each shared case in the modes it is meant for.
#include <boost/test/unit_test.hpp>
#include <string>
#include <tgmap/constant/read.hpp>

#include "../cases.hpp"

namespace constant = tgmap::constant;
using nlohmann::json;

namespace {

/// Returns the difference from the expected result; empty if there is none.
std::string read_as(const json& one, bool extended, const json& expected) {
  constant::read_options options{.extended = extended};
  const bool fails = expected.contains("error");
  if (!one.at("type").is_null()) {
    tgmap::failure why;
    options.type = constant::tensor_type::parse(one.at("type").get<std::string>(), why);
    if (why) return fails ? "" : "the type was not read: " + why.text();
  }
  constant::report report;
  const auto read = constant::read_json(one.at("input").get<std::string>(), options, report);
  if (report) return fails ? "" : report.problems.front().text();
  return fails ? "was read: " + tgmap_test::to_case(read).dump() : tgmap_test::difference(read, expected);
}

void check_profile(const std::string& profile, bool extended, bool strictly) {
  const auto all = tgmap_test::shared_cases("cases.json");
  if (!all) return;
  std::size_t count = 0;
  for (const json& one : all->is_array() ? *all : all->at("cases")) {
    if (one.at("profile") != profile) continue;
    ++count;
    const bool other = strictly && one.contains("strict_expect");
    BOOST_TEST_CONTEXT(one.at("name").get<std::string>())
    BOOST_TEST(read_as(one, extended, one.at(other ? "strict_expect" : "expect")) == "");
  }
  BOOST_TEST(count > 20u);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(recorded_json)

BOOST_AUTO_TEST_CASE(cases_for_every_reader) { check_profile("constant", false, false); }
BOOST_AUTO_TEST_CASE(cases_of_policy) { check_profile("policy", false, false); }
BOOST_AUTO_TEST_CASE(cases_for_documents) { check_profile("extended", true, false); }
BOOST_AUTO_TEST_CASE(cases_for_documents_without_the_option) { check_profile("extended", false, true); }

BOOST_AUTO_TEST_SUITE_END()
