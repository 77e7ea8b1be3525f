// SPDX-License-Identifier: Apache-2.0
// Every errc has a phrase, a plain message and a row in the documentation.
#include "errc_table.hpp"

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <support/shared_data.hpp>
#include <support/temporary.hpp>

#include "core/phrases.hpp"

using namespace tgmap_test;
using tgmap::errc;

namespace {

std::filesystem::path checkout() { return TGMAP_SOURCE_DIR; }

std::vector<errc_row> read_header() {
  const std::string text = read_file(checkout() / "include/tgmap/errc.hpp");
  const auto begin = text.find("enum class errc"), end = text.find("};", begin);
  const std::string body = text.substr(begin, end - begin);
  static const std::regex enumerator(R"(\n\s*(\w+)\s*=\s*(\d+)\s*,)");
  std::vector<errc_row> out;
  for (std::sregex_iterator at(body.begin(), body.end(), enumerator), none; at != none; ++at)
    out.push_back({(*at)[1], std::stoi((*at)[2])});
  return out;
}

/// Rows "| `name` | value |" of docs/errors.md.
std::map<std::string, int> documented(const std::string& text) {
  static const std::regex row(R"(\|\s*`(\w+)`\s*\|\s*(\d+)\s*\|)");
  std::map<std::string, int> out;
  for (std::sregex_iterator at(text.begin(), text.end(), row), none; at != none; ++at)
    BOOST_TEST(out.emplace((*at)[1], std::stoi((*at)[2])).second, (*at)[1] << " has two rows");
  return out;
}

bool placeholders_are_known(std::string_view phrase) {
  for (std::size_t at = phrase.find('{'); at != phrase.npos; at = phrase.find('{', at + 1)) {
    const auto place = phrase.substr(at, phrase.find('}', at) - at + 1);
    if (place != "{e}" && place != "{f}" && place != "{e:x}" && place != "{f:x}" && place != "{e:d}" &&
        place != "{f:d}" && place != "{e:k}" && place != "{f:k}" && place != "{e:w}")
      return false;
  }
  return true;
}

}  // namespace

const std::vector<errc_row>& tgmap_test::all_errcs() {
  static const std::vector<errc_row> rows = read_header();
  return rows;
}

BOOST_AUTO_TEST_SUITE(errc_table_test)

BOOST_AUTO_TEST_CASE(the_table_has_every_errc_of_the_header) {
  BOOST_TEST(all_errcs().size() > 50u);
  std::map<std::string, int> values;
  for (const auto& row : all_errcs()) values[row.name] = row.value;
  BOOST_TEST(values["out_of_range"] == static_cast<int>(errc::out_of_range));
  BOOST_TEST(values["bad_cbor"] == static_cast<int>(errc::bad_cbor));
  BOOST_TEST(values["file_shrank"] == static_cast<int>(errc::file_shrank));
}

BOOST_AUTO_TEST_CASE(values_and_names_are_unique_and_none_is_success) {
  std::set<int> values;
  std::set<std::string> names;
  for (const auto& row : all_errcs()) {
    BOOST_TEST(row.value > 0, row.name);
    BOOST_TEST(values.insert(row.value).second, row.name << " has the value of another");
    BOOST_TEST(names.insert(row.name).second, row.name << " is there twice");
  }
}

BOOST_AUTO_TEST_CASE(every_errc_has_a_phrase_and_a_plain_message) {
  for (const auto& row : all_errcs()) {
    const auto phrase = tgmap::detail::phrase(row.code()), plain = tgmap::detail::plain_phrase(row.code());
    BOOST_TEST(!phrase.empty(), row.name);
    BOOST_TEST(phrase != "unknown error", row.name);
    BOOST_TEST(!plain.empty(), row.name);
    BOOST_TEST(plain != "unknown error", row.name);
    BOOST_TEST(plain.find('{') == plain.npos, row.name << ": " << plain);
    BOOST_TEST(placeholders_are_known(phrase), row.name << ": " << phrase);
    BOOST_TEST(tgmap::make_error_code(row.code()).message() == plain);
  }
}

BOOST_AUTO_TEST_CASE(plain_messages_are_unique) {
  std::map<std::string, std::string> seen;
  for (const auto& row : all_errcs()) {
    const auto [at, fresh] = seen.emplace(tgmap::make_error_code(row.code()).message(), row.name);
    BOOST_TEST(fresh, row.name << " reads as " << at->second);
  }
}

BOOST_AUTO_TEST_CASE(messages_are_one_line_without_a_full_stop) {
  for (const auto& row : all_errcs())
    for (const auto text : {tgmap::detail::phrase(row.code()), tgmap::detail::plain_phrase(row.code())}) {
      BOOST_TEST(text.find('\n') == text.npos, row.name);
      BOOST_TEST(!text.ends_with('.'), row.name);
      BOOST_TEST(text.size() < 100u, row.name);
    }
}

BOOST_AUTO_TEST_CASE(unknown_numbers_have_a_message) {
  std::set<int> values;
  for (const auto& row : all_errcs()) values.insert(row.value);
  for (int value = -1; value < 200; ++value)
    if (!values.contains(value)) {
      BOOST_TEST(tgmap::detail::phrase(static_cast<errc>(value)) == "unknown error");
      BOOST_TEST(tgmap::category().message(value) == "unknown error");
    }
}

BOOST_AUTO_TEST_CASE(the_documentation_lists_each_with_its_value) {
  const auto page = checkout() / "docs/errors.md";
  if (!std::filesystem::exists(page)) return say_skipped("rows of docs/errors.md", "the page is not there");
  auto rows = documented(read_file(page));
  for (const auto& row : all_errcs()) {
    BOOST_TEST(rows.contains(row.name), row.name << " is not documented");
    if (rows.contains(row.name)) BOOST_TEST(rows[row.name] == row.value, row.name);
    rows.erase(row.name);
  }
  for (const auto& [name, value] : rows) BOOST_ERROR(name << " = " << value << " is documented but does not exist");
}

BOOST_AUTO_TEST_SUITE_END()
