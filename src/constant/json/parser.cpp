// SPDX-License-Identifier: Apache-2.0
#include "constant/json/parser.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "constant/json/json_string.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant::json {

namespace {

constexpr unsigned max_skipped_depth = 64;

/// Adds a problem after those with the same or a smaller offset.
void insert_sorted(std::vector<problem>& all, problem added) {
  const auto is_before = [](const problem& a, const problem& b) { return a.cause.offset < b.cause.offset; };
  const auto at = std::upper_bound(all.begin(), all.end(), added, is_before);
  all.insert(at, std::move(added));
}

/// Sets the lines of problems that are sorted.
void find_lines(std::vector<problem>& all, const text_view& text) noexcept {
  std::uint64_t line = 1, begin = 0, at = 0;  // `begin` of the line; searched up to `at`
  for (problem& one : all) {
    const std::uint64_t offset = std::min(one.cause.offset, text.size);
    while (at < offset) {
      const void* end = std::memchr(text.data + at, '\n', static_cast<std::size_t>(offset - at));
      at = end == nullptr ? offset : static_cast<std::uint64_t>(static_cast<const char*>(end) - text.data) + 1;
      if (end == nullptr) break;
      begin = at;
      ++line;
    }
    one.line = line;
    one.column = one.cause.offset - begin + 1;
  }
}

}  // namespace

std::optional<double> parse_value(const token_source& tokens) {
  if (tokens.kind() != '"') {
    const std::string_view text = tokens.scalar();
    return text == "null" ? std::numeric_limits<double>::quiet_NaN() : parse_number(text);
  }
  const std::string_view raw = tokens.raw_string();
  if (!has_escapes(raw)) return parse_number_in_string(raw);
  std::string text;
  std::size_t error_at = 0;
  return unescape(raw, text, error_at) ? parse_number_in_string(text) : std::nullopt;
}

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

read_status parser::report_problem(problem found) {
  if (problems.problems.size() >= std::max<std::size_t>(options.max_problems, 1)) {
    problems.has_more = true;
    return read_status::stop;
  }
  found.path = path.text();
  insert_sorted(problems.problems, std::move(found));
  return read_status::invalid;
}

read_status parser::report_last(problem found) {
  (void)report_problem(std::move(found));
  problems.has_more = true;
  return read_status::stop;
}

void parser::report_warning(problem found) {
  found.path = path.text();
  insert_sorted(problems.warnings, std::move(found));
}

read_status parser::report_and_skip(problem found) {
  const read_status result = report_problem(std::move(found));
  return result == read_status::stop || skip() == read_status::stop ? read_status::stop : result;
}

read_status parser::report_bad_json(std::string expected) {
  if (tokens.is_at_end() && tokens.end().cause) return report_last(tokens.end());
  return report_last({.cause = {.code = errc::bad_json, .offset = tokens.offset()},
                      .expected = std::move(expected),
                      .found = describe_token()});
}

read_status parser::report_wrong_value(errc code, std::string expected) {
  const value_kind is = kind();
  if (is == value_kind::none || (is == value_kind::number && !parse_number(tokens.scalar())))
    return report_bad_json(std::move(expected));
  return report_and_skip(
      {.cause = {.code = code, .offset = tokens.offset()}, .expected = std::move(expected), .found = describe_token()});
}

read_status parser::report_repeated_member(std::string_view name, std::uint64_t offset) {
  return report_and_skip({.cause = {.code = errc::repeated_member, .offset = offset},
                          .expected = "another member",
                          .found = "a second " + printable_quoted(name)});
}

read_status parser::check_label(std::string_view label, std::uint64_t offset) {
  if (!label.empty() || options.allow_empty_labels) return read_status::ok;
  return report_problem(
      {.cause = {.code = errc::empty_label, .offset = offset}, .expected = "a label", .found = "\"\""});
}

void parser::find_lines_of_problems() noexcept {
  // No lines if the file became shorter.
  (void)tokens.text().guard([&]() noexcept {
    find_lines(problems.problems, tokens.text());
    find_lines(problems.warnings, tokens.text());
  });
}

read_status parser::skip() {
  if (kind() == value_kind::none) return report_bad_json("a value");
  std::uint64_t objects = 0;  // one bit for each open bracket: 1 for an object
  unsigned depth = 0;
  do {
    const char c = tokens.kind();
    if (tokens.is_at_end()) return report_bad_json((objects & 1) != 0 ? "a comma or }" : "a comma or ]");
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
  (void)report_last({.cause = {.code = errc::bad_json, .offset = offset + 1 + error_at},
                     .expected = "an escape of JSON",
                     .found = '"' + printable(raw.substr(error_at, 12)) + '"'});
  return {};
}

read_status parser::read_cell(dtype type, std::byte* to) {
  double value = 0;
  if (parse_plain_number(tokens.current(), value) == nullptr) {
    const auto other = parse_value(tokens);
    if (!other && tokens.kind() == '"' && !unescaped(tokens.raw_string(), tokens.offset(), scratch_))
      return read_status::stop;
    if (!other) return report_wrong_value(errc::not_a_number, "a number");
    value = *other;
  }
  const bool fits =
      visit_cell_type(type, [&]<class Cell>(Cell) { return store_cell(value, *reinterpret_cast<Cell*>(to), rules()); });
  if (!fits)
    return report_wrong_value(errc::out_of_cell_range,
                              options.reject_fractions ? "an integer from -128 to 127" : "a number from -128 to 127");
  tokens.next();
  return read_status::ok;
}

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
