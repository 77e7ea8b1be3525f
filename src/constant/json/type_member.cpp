// SPDX-License-Identifier: Apache-2.0
#include "constant/json/type_member.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

namespace {

const char* what_a_type_has(const failure& why) noexcept {
  if (why.code.category() != category()) return "fewer dimensions";
  switch (static_cast<errc>(why.code.value())) {
    case errc::unknown_cell_type: return "the cells double, float, bfloat16 or int8";
    case errc::bad_dimension: return "dimensions as name{} or name[size]";
    case errc::bad_size: return "sizes of 1 to 2147483647";
    case errc::unbound_dimension: return "a size for each indexed dimension";
    case errc::repeated_dimension: return "every dimension once";
    case errc::scalar_cell_type: return "cells of double without dimensions";
    case errc::too_large: return "fewer cells";
    default: return "a tensor type";
  }
}

/// Nothing: told.
std::optional<tensor_type> type_here(parser& in, std::string& text, outcome& told) {
  const auto given = in.string_here(text);
  if (!given) {
    told = outcome::stop;
    return {};
  }
  failure why;
  tensor_type out = tensor_type::parse(*given, why);
  if (!why) {
    text = *given;
    return out;
  }
  const bool as_it_stands = given->data() != text.data();
  const std::uint64_t offset = in.at.offset() + (as_it_stands ? 1 + why.offset : 0);
  told = in.tell({.why = why, .expected = what_a_type_has(why), .found = shown_quoted(*given)}, offset);
  return {};
}

bool same_dimensions(const tensor_type& a, const tensor_type& b) noexcept {
  const auto of_a = a.dimensions(), of_b = b.dimensions();
  return std::equal(of_a.begin(), of_a.end(), of_b.begin(), of_b.end());
}

}  // namespace

std::optional<tensor_type> find_type(parser& in) {
  const std::uint64_t begin = in.at.offset();
  std::optional<tensor_type> found;
  std::string text;
  const auto none = [&] {
    in.problems.tell_last({.why = {.code = errc::no_type}, .expected = "a declared type, or a member type"}, begin,
                          in.where);
    return std::nullopt;
  };
  if (in.at.kind() != '{') {
    if (in.kind() == value_kind::none) {
      (void)in.bad_json("an object");
      return {};
    }
    return none();
  }
  bool stopped = false;
  (void)in.members([&](const member_name& name) {
    const auto decoded = in.text_of(name.raw, name.offset, text);
    if (decoded && *decoded == "type" && in.at.kind() == '"') {
      outcome told = outcome::stop;
      in.where.member("type");
      found = type_here(in, text, told);
      in.where.pop();
      if (!found) in.problems.end();
      stopped = true;
      return outcome::stop;
    }
    const outcome came = decoded ? in.skip() : outcome::stop;
    stopped = came == outcome::stop;
    return came;
  });
  if (!found && !in.problems.any()) return none();
  if (found) in.at.seek(begin);
  return found;
}

outcome check_type(parser& in, const tensor_type& type, bool declared) {
  const std::uint64_t offset = in.at.offset();
  std::string text;
  outcome told = outcome::stop;
  const auto given = type_here(in, text, told);
  if (!given) {
    if (told == outcome::stop) return told;
    in.at.next();
    return outcome::wrong;
  }
  const std::string spelled = given->text();
  if (!same_dimensions(*given, type)) {
    in.problems.tell_last(
        {.why = {.code = errc::type_mismatch}, .expected = shown(type.text()), .found = shown_quoted(text)}, offset,
        in.where);
    return outcome::stop;
  }
  if (declared && given->cell_type() != type.cell_type())
    in.problems.warn({.why = {.code = errc::type_mismatch},
                      .expected = "cells of " + std::string(cell_type_name(type.cell_type())),
                      .found = std::string(cell_type_name(given->cell_type()))},
                     offset, in.where);
  if (text != spelled)
    in.problems.warn({.why = {.code = errc::bad_type}, .expected = shown(spelled), .found = shown_quoted(text)}, offset,
                     in.where);
  in.at.next();
  return outcome::got;
}

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap
