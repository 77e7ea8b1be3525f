// SPDX-License-Identifier: Apache-2.0
// JSON of damage and of sums of bytes. The whole texts are golden files of the command.
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>

#include "collection/survey_json.hpp"

BOOST_AUTO_TEST_SUITE(survey_json)

using tgmap::errc;

namespace {

template <class Value>
std::string text_of(const Value& value) {
  std::string out;
  tgmap::core::text_builder text(out);
  tgmap::json_text::writer<> to(text, tgmap::json_text::ascii_style);
  tgmap::archives::put(to, value);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(gaps_and_tails_have_their_cause) {
  const tgmap::gap g{8, 16, {.code = errc::not_a_message, .offset = 8}};
  BOOST_TEST(text_of(g) == R"({"begin":8,"end":16,"code":"not_a_message","cause":")" + g.cause.text() + "\"}");
  BOOST_TEST(text_of(std::optional<tgmap::incomplete_tail>{}) == "null");
  const std::optional<tgmap::incomplete_tail> tail({1, 2, {.code = {5, std::system_category()}}});
  BOOST_TEST(text_of(tail).starts_with(R"({"begin":1,"end":2,"code":"io",)"));
}

BOOST_AUTO_TEST_CASE(bytes_are_sorted_by_size) {
  const std::map<std::string, tgmap::part_usage> parts{{"a", {1, 10}}, {"b", {2, 30}}, {"c", {3, 30}}};
  std::string names;
  for (const auto& [name, part] : tgmap::archives::by_bytes(parts)) names += name;
  BOOST_TEST(names == "bca");
  tgmap::object_usage objects;
  objects.add(10, 40);
  BOOST_TEST(text_of(objects) == R"({"count":1,"bytes":10,"decoded_bytes":40,"ratio":4.0})");
  BOOST_TEST(text_of(tgmap::object_usage{}) == R"({"count":0,"bytes":0,"decoded_bytes":0,"ratio":null})");
}

BOOST_AUTO_TEST_SUITE_END()
