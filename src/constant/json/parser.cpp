// SPDX-License-Identifier: Apache-2.0
#include "constant/json/parser.hpp"

#include <limits>
#include <utility>

#include "constant/json/json_string.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant::json {

namespace {

constexpr unsigned max_skipped_depth = 64;

}  // namespace

value_kind parser::kind() const noexcept {
  switch (tokens.kind()) {
    case '"': return value_kind::string;
    case '[': return value_kind::array;
    case '{': return value_kind::object;
    case 't': return tokens.scalar() == "true" ? value_kind::boolean : value_kind::none;
    case 'f': return tokens.scalar() == "false" ? value_kind::boolean : value_kind::none;
    case 'n': return tokens.scalar() == "null" ? value_kind::null : value_kind::none;
    case '-': return value_kind::number;
    default: return digit_value(tokens.kind()) <= 9 ? value_kind::number : value_kind::none;
  }
}

std::string parser::describe_token() const {
  if (tokens.is_at_end()) return tokens.end().found.empty() ? "the end of the text" : tokens.end().found;
  switch (tokens.kind()) {
    case '"': return '"' + printable(tokens.raw_string()) + '"';
    case '[': return "an array";
    case '{': return "an object";
    case ']':
    case '}':
    case ',':
    case ':': return std::string(1, tokens.kind());
    default: return printable(tokens.scalar());
  }
}

read_status parser::report_problem(problem_description problem, std::uint64_t offset) {
  return problems.add(std::move(problem), offset, path) ? read_status::invalid : read_status::stop;
}

read_status parser::report_and_skip(problem_description problem, std::uint64_t offset) {
  const read_status result = report_problem(std::move(problem), offset);
  return result == read_status::stop || skip() == read_status::stop ? read_status::stop : result;
}

read_status parser::report_bad_json(std::string expected) {
  problem_description problem{
      .why = {.code = errc::bad_json}, .expected = std::move(expected), .found = describe_token()};
  if (tokens.is_at_end()) {
    const token_end& end = tokens.end();
    if (end.why) problem.why = end.why;
    if (*end.expected != 0) problem.expected = end.expected;
    if (end.why && *end.expected == 0) problem.expected = problem.found = {};
  }
  problems.add_last(std::move(problem), tokens.offset(), path);
  return read_status::stop;
}

read_status parser::report_wrong_value(errc code, std::string expected) {
  const value_kind is = kind();
  if (is == value_kind::none || (is == value_kind::number && !parse_number(tokens.scalar())))
    return report_bad_json(std::move(expected));
  const read_status result = report_problem(
      {.why = {.code = code}, .expected = std::move(expected), .found = describe_token()}, tokens.offset());
  path.own_label();  // skipping may move the window
  return result == read_status::stop || skip() == read_status::stop ? read_status::stop : result;
}

read_status parser::skip() {
  if (kind() == value_kind::none) return report_bad_json("a value");
  std::uint64_t objects = 0;  // one bit for each open bracket: 1 for an object
  unsigned depth = 0;
  do {
    const char c = tokens.kind();
    if (c == 0 && tokens.is_at_end()) return report_bad_json((objects & 1) != 0 ? "a comma or }" : "a comma or ]");
    if (c == '[' || c == '{') {
      if (depth == max_skipped_depth) return report_bad_json("at most 64 nested brackets");
      objects = objects << 1 | (c == '{' ? 1 : 0);
      ++depth;
    } else if (c == ']' || c == '}') {
      if ((objects & 1) != (c == '}' ? 1 : 0)) return report_bad_json("the other bracket");
      objects >>= 1;
      --depth;
    }
    tokens.next();
  } while (depth != 0);
  return read_status::ok;
}

std::optional<std::string_view> parser::unescaped(std::string_view raw, std::uint64_t offset, std::string& scratch) {
  if (!has_escapes(raw)) return raw;
  std::size_t error_at = 0;
  if (unescape(raw, scratch, error_at)) return scratch;
  problems.add_last({.why = {.code = errc::bad_json},
                     .expected = "an escape of JSON",
                     .found = '"' + printable(raw.substr(error_at, 12)) + '"'},
                    offset + 1 + error_at, path);
  return {};
}

read_status parser::parse_other_number(double& out) {
  std::optional<double> value;
  switch (kind()) {
    case value_kind::null: value = std::numeric_limits<double>::quiet_NaN(); break;
    case value_kind::number:
      value = parse_number(tokens.scalar());
      if (!value) return report_bad_json("a number");
      break;
    case value_kind::string: {
      const auto text = string_here(scratch_);
      if (!text) return read_status::stop;
      value = parse_number_in_string(*text);
      break;
    }
    default: break;
  }
  if (!value) return report_wrong_value(errc::not_a_number, "a number");
  out = *value;
  return read_status::ok;
}

read_status parser::report_out_of_range() {
  const read_status result = report_problem(
      {.why = {.code = errc::out_of_cell_range},
       .expected = options.reject_fractions ? "an integer from -128 to 127" : "a number from -128 to 127",
       .found = describe_token()},
      tokens.offset());
  tokens.next();
  return result;
}

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
