// SPDX-License-Identifier: Apache-2.0
#include "constant/json/parser.hpp"

#include <limits>
#include <utility>

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

namespace {

constexpr unsigned most_skipped_depth = 64;  // of what must not be there at all

}  // namespace

value_kind parser::kind() const noexcept {
  switch (at.kind()) {
    case '"': return value_kind::string;
    case '[': return value_kind::array;
    case '{': return value_kind::object;
    case 't': return at.scalar() == "true" ? value_kind::boolean : value_kind::none;
    case 'f': return at.scalar() == "false" ? value_kind::boolean : value_kind::none;
    case 'n': return at.scalar() == "null" ? value_kind::null : value_kind::none;
    case '-': return value_kind::number;
    default: return digit_of(at.kind()) <= 9 ? value_kind::number : value_kind::none;
  }
}

outcome parser::tell(complaint what, std::uint64_t offset) {
  return problems.tell(std::move(what), offset, where) ? outcome::wrong : outcome::stop;
}

std::string parser::found_here() const {
  if (at.stopped()) return at.stop().found.empty() ? "the end of the text" : at.stop().found;
  switch (at.kind()) {
    case '"': return '"' + shown(at.raw_string()) + '"';
    case '[': return "an array";
    case '{': return "an object";
    case ']':
    case '}':
    case ',':
    case ':': return std::string(1, at.kind());
    default: return shown(at.scalar());
  }
}

outcome parser::bad_json(std::string expected) {
  complaint what{.why = {.code = errc::bad_json}, .expected = std::move(expected), .found = found_here()};
  if (at.stopped()) {
    const token_stop& stop = at.stop();
    if (stop.why) what.why = stop.why;
    if (*stop.expected != 0) what.expected = stop.expected;
    if (stop.why && *stop.expected == 0) what.expected = what.found = {};
  }
  problems.tell_last(std::move(what), at.offset(), where);
  return outcome::stop;
}

outcome parser::wrong_value(errc code, std::string expected) {
  const value_kind is = kind();
  if (is == value_kind::none || (is == value_kind::number && !any_number(at.scalar())))
    return bad_json(std::move(expected));
  const outcome told =
      tell({.why = {.code = code}, .expected = std::move(expected), .found = found_here()}, at.offset());
  where.keep_label();
  if (told == outcome::stop || skip() == outcome::stop) return outcome::stop;
  return outcome::wrong;
}

outcome parser::skip() {
  if (kind() == value_kind::none) return bad_json("a value");
  std::uint64_t objects = 0;  // a bit for each bracket that is open
  unsigned depth = 0;
  do {
    const char c = at.kind();
    if (c == 0 && at.stopped()) return bad_json((objects & 1) != 0 ? "a comma or }" : "a comma or ]");
    if (c == '[' || c == '{') {
      if (depth == most_skipped_depth) return bad_json("at most 64 brackets in each other");
      objects = objects << 1 | (c == '{' ? 1 : 0);
      ++depth;
    } else if (c == ']' || c == '}') {
      if ((objects & 1) != (c == '}' ? 1 : 0)) return bad_json("the other bracket");
      objects >>= 1;
      --depth;
    }
    at.next();
  } while (depth != 0);
  return outcome::got;
}

std::optional<std::string_view> parser::text_of(std::string_view raw, std::uint64_t offset, std::string& scratch) {
  if (!has_escapes(raw)) return raw;
  std::size_t wrong = 0;
  if (unescape(raw, scratch, wrong)) return scratch;
  problems.tell_last({.why = {.code = errc::bad_json},
                      .expected = "an escape of JSON",
                      .found = '"' + shown(raw.substr(wrong, 12)) + '"'},
                     offset + 1 + wrong, where);
  return {};
}

outcome parser::look_at_number(double& out) {
  std::optional<double> value;
  switch (kind()) {
    case value_kind::null: value = std::numeric_limits<double>::quiet_NaN(); break;
    case value_kind::number:
      value = any_number(at.scalar());
      if (!value) return bad_json("a number");
      break;
    case value_kind::string: {
      const auto text = string_here(scratch_);
      if (!text) return outcome::stop;
      value = number_in_string(*text);
      break;
    }
    default: break;
  }
  if (!value) return wrong_value(errc::not_a_number, "a number");
  out = *value;
  return outcome::got;
}

outcome parser::out_of_range() {
  const outcome told =
      tell({.why = {.code = errc::out_of_cell_range},
            .expected = options.reject_fractions ? "a whole number of -128 to 127" : "a number of -128 to 127",
            .found = found_here()},
           at.offset());
  at.next();
  return told;
}

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap
