// SPDX-License-Identifier: Apache-2.0
// Every error of ZIO has a name, a message, a group and a row in the documentation.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <support/shared_data.hpp>
#include <support/temporary.hpp>
#include <tgmap/dtype.hpp>
#include <tgmap/zio/errc.hpp>

using namespace tgmap_test;
using tgmap::condition;
using tgmap::zio::errc;

BOOST_AUTO_TEST_SUITE(errc_test)

namespace {

std::filesystem::path checkout() { return TGMAP_SOURCE_DIR; }

/// Returns all enumerators from the text of the header, so that none can be forgotten.
std::map<std::string, errc> all_errcs() {
  const std::string text = read_file(checkout() / "include/tgmap/zio/errc.hpp");
  const auto begin = text.find("enum class errc"), end = text.find("};", begin);
  const std::string body = text.substr(begin, end - begin);
  static const std::regex enumerator(R"(\n\s*(\w+)\s*=\s*(\d+)\s*,)");
  std::map<std::string, errc> out;
  for (std::sregex_iterator at(body.begin(), body.end(), enumerator), none; at != none; ++at)
    out.emplace((*at)[1], static_cast<errc>(std::stoi((*at)[2])));
  return out;
}

condition expected_of(errc code) {
  static const std::map<condition, std::set<errc>> groups{
      {condition::usage, {errc::no_counterpart, errc::bad_endpoint, errc::insecure_endpoint, errc::bad_curve_key}},
      {condition::truncated, {errc::part_exceeds_frame}},
      {condition::unsupported, {errc::bad_packing, errc::zmq_absent}},
      {condition::limit, {errc::part_too_large, errc::label_too_deep, errc::message_limit}},
      {condition::io, {errc::timed_out, errc::stopped, errc::flow_refused, errc::peer_gone, errc::zmq_failed}},
  };
  for (const auto& [group, codes] : groups)
    if (codes.contains(code)) return group;
  return condition::corrupt;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_has_its_own_name_and_message) {
  std::set<std::string> messages;
  std::set<int> values;
  BOOST_TEST(all_errcs().size() == 26U);
  for (const auto& [spelled, code] : all_errcs()) {
    BOOST_TEST(to_string_view(code) == spelled);
    const std::error_code made = code;
    BOOST_TEST((made.category() == tgmap::zio::category()));
    BOOST_TEST(made.category().name() == "tgmap.zio");
    BOOST_TEST(made.value() > 0);
    BOOST_TEST(values.insert(made.value()).second, spelled);
    BOOST_TEST(made.message() != "unknown error", spelled);
    BOOST_TEST(made.message().find('{') == std::string::npos, spelled);
    BOOST_TEST(messages.insert(made.message()).second, spelled);
  }
  BOOST_TEST(to_string_view(static_cast<errc>(999)).empty());
  BOOST_TEST(std::error_code(static_cast<errc>(999)).message() == "unknown error");
}

BOOST_AUTO_TEST_CASE(failure_texts_have_numbers) {
  for (const auto& [spelled, code] : all_errcs()) {
    const auto text = tgmap::failure{.code = code, .expected = 1, .found = 2}.text();
    BOOST_TEST(!text.empty());
    BOOST_TEST(text.find('{') == std::string::npos, spelled << ": " << text);
  }
  BOOST_TEST((tgmap::failure{.code = errc::too_few_parts, .expected = 2, .found = 1}.text()) ==
             "number of parts: 1; a ZIO message has at least 2");
  BOOST_TEST((tgmap::failure{.code = errc::no_counterpart, .found = static_cast<std::uint64_t>(tgmap::dtype::bfloat16)}
                  .text()) == "TENS has no element type for bfloat16");
  BOOST_TEST((tgmap::failure{.code = errc::timed_out, .found = 20, .message = 3}.text()) ==
             "timed out after 20 ms (message 3, offset 0x0)");
}

BOOST_AUTO_TEST_CASE(each_has_one_condition) {
  for (const auto& [spelled, code] : all_errcs()) {
    const std::error_code made = code;
    for (const condition c : {condition::usage, condition::truncated, condition::corrupt, condition::unsupported,
                              condition::limit, condition::io})
      BOOST_TEST((made == c) == (expected_of(code) == c), spelled);
    BOOST_TEST((made != tgmap::make_error_code(static_cast<tgmap::errc>(made.value()))));
  }
}

BOOST_AUTO_TEST_CASE(the_documentation_lists_each) {
  const std::string page = read_file(checkout() / "docs/errors.md");
  const auto begin = page.find("`tgmap::zio::errc`"), end = page.find("\n## ", begin);
  BOOST_TEST_REQUIRE(end != std::string::npos);
  const std::string section = page.substr(begin, end - begin);
  static const std::regex row(R"(\n\| `(\w+)` \|)");
  std::set<std::string> listed;
  for (std::sregex_iterator at(section.begin(), section.end(), row), none; at != none; ++at)
    BOOST_TEST(listed.insert((*at)[1]).second, (*at)[1]);
  for (const auto& [spelled, code] : all_errcs()) BOOST_TEST(listed.erase(spelled) == 1U, spelled);
  for (const auto& gone : listed) BOOST_ERROR(gone << " is documented but does not exist");
}

BOOST_AUTO_TEST_SUITE_END()
