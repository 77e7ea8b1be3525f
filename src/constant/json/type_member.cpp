// SPDX-License-Identifier: Apache-2.0
#include "constant/json/type_member.hpp"

#include <algorithm>
#include <string>

#include "constant/json/json_string.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant::json {

namespace {

/// Returns the expected part of a type for a message.
const char* expected_of_type(const failure& why) noexcept {
  if (why.code.category() != category()) return "fewer dimensions";
  switch (static_cast<errc>(why.code.value())) {
    case errc::unknown_cell_type: return "cells of double, float, bfloat16 or int8";
    case errc::bad_dimension: return "dimensions such as name{} or name[size]";
    case errc::bad_size: return "sizes from 1 to 2147483647";
    case errc::unbound_dimension: return "a size for each indexed dimension";
    case errc::repeated_dimension: return "each dimension once";
    case errc::scalar_cell_type: return "double cells if there are no dimensions";
    case errc::too_large: return "fewer cells";
    default: return "a tensor type";
  }
}

/// Parses the current string as a type. Returns nothing after a problem; `result` then says whether to stop.
std::optional<tensor_type> parse_type(parser& in, std::string& text, read_status& result) {
  const auto given = in.string_here(text);
  if (!given) {
    result = read_status::stop;
    return {};
  }
  failure why;
  tensor_type out = tensor_type::parse(*given, why);
  if (!why) {
    text = *given;
    return out;
  }
  const bool is_unescaped = given->data() != text.data();
  const std::uint64_t offset = in.tokens.offset() + (is_unescaped ? 1 + why.offset : 0);
  result =
      in.report_problem({.why = why, .expected = expected_of_type(why), .found = printable_quoted(*given)}, offset);
  return {};
}

bool same_dimensions(const tensor_type& a, const tensor_type& b) noexcept {
  const auto of_a = a.dimensions(), of_b = b.dimensions();
  return std::equal(of_a.begin(), of_a.end(), of_b.begin(), of_b.end());
}

}  // namespace

std::optional<tensor_type> find_type(parser& in) {
  const std::uint64_t begin = in.tokens.offset();
  std::optional<tensor_type> found;
  std::string text;
  const auto report_missing = [&] {
    in.problems.add_last({.why = {.code = errc::no_type}, .expected = "a declared type, or a member type"}, begin,
                         in.path);
    return std::nullopt;
  };
  if (in.tokens.kind() != '{') {
    if (in.kind() == value_kind::none) {
      (void)in.report_bad_json("an object");
      return {};
    }
    return report_missing();
  }
  bool stopped = false;
  (void)in.members([&](const member_name& name) {
    const auto unescaped = in.unescaped(name.raw, name.offset, text);
    if (unescaped && *unescaped == "type" && in.tokens.kind() == '"') {
      read_status result = read_status::stop;
      in.path.push_member("type");
      found = parse_type(in, text, result);
      in.path.pop();
      if (!found) in.problems.set_has_more();
      stopped = true;
      return read_status::stop;
    }
    const read_status status = unescaped ? in.skip() : read_status::stop;
    stopped = status == read_status::stop;
    return status;
  });
  if (!found && in.problems.empty()) return report_missing();
  if (found) in.tokens.seek(begin);
  return found;
}

read_status check_type(parser& in, const tensor_type& type, bool is_declared) {
  const std::uint64_t offset = in.tokens.offset();
  std::string text;
  read_status result = read_status::stop;
  const auto given = parse_type(in, text, result);
  if (!given) {
    if (result == read_status::stop) return result;
    in.tokens.next();
    return read_status::invalid;
  }
  const std::string canonical = given->text();
  if (!same_dimensions(*given, type)) {
    in.problems.add_last(
        {.why = {.code = errc::type_mismatch}, .expected = printable(type.text()), .found = printable_quoted(text)},
        offset, in.path);
    return read_status::stop;
  }
  if (is_declared && given->cell_type() != type.cell_type())
    in.problems.add_warning({.why = {.code = errc::type_mismatch},
                             .expected = "cells of " + std::string(cell_type_name(type.cell_type())),
                             .found = std::string(cell_type_name(given->cell_type()))},
                            offset, in.path);
  if (text != canonical)
    in.problems.add_warning(
        {.why = {.code = errc::bad_type}, .expected = printable(canonical), .found = printable_quoted(text)}, offset,
        in.path);
  in.tokens.next();
  return read_status::ok;
}

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
