// SPDX-License-Identifier: Apache-2.0
#include "select/selection_tree.hpp"

#include <algorithm>
#include <array>

#include "select/print.hpp"
#include "select/selection_words.hpp"

namespace tgmap::select {

namespace {

using order = std::partial_ordering;

/// Returns the number that was found: a stored number, or text that reads as one.
std::optional<number> number_of(const key_result& found) {
  if (const auto* const n = std::get_if<std::uint64_t>(&found.get())) return number::of(*n);
  const auto* const item = std::get_if<cbor_view>(&found.get());
  if (item == nullptr) return std::nullopt;
  if (const auto n = item->get<std::uint64_t>()) return number::of(*n);  // what most are
  if (item->kind() != cbor_kind::text) return select::number_of(*item);
  const auto text = item->get<std::string_view>();
  return text ? read_number(*text) : read_number(item->text());
}

/// Checks if values of this kind have an order; lists, arrays and maps have none.
bool has_order(const key_result& found) {
  const auto* const item = std::get_if<cbor_view>(&found.get());
  if (item != nullptr) return item->kind() != cbor_kind::array && item->kind() != cbor_kind::map;
  return !std::holds_alternative<std::span<const std::uint64_t>>(found.get());
}

/// The text of what was found: where it lies, or put together in `room`.
std::string_view text_of(const key_result& found, std::string& room) {
  if (const auto* const text = std::get_if<std::string_view>(&found.get())) return *text;
  if (const auto* const item = std::get_if<cbor_view>(&found.get()))
    if (const auto text = item->get<std::string_view>()) return *text;
  room.clear();
  found.append_to(room);
  return room;
}

/// Unordered also where there is no order.
order compare(const key_result& found, const operand& with) {
  if (with.numeric)
    if (const auto n = number_of(found)) return compare(*n, *with.numeric);
  if (!has_order(found)) return order::unordered;
  std::string room;
  return text_of(found, room) <=> std::string_view(with.text);
}

bool within(const key_result& found, const operand& from, const operand& to) {
  if (from.numeric && to.numeric)
    if (const auto n = number_of(found))
      return std::is_gteq(compare(*n, *from.numeric)) && std::is_lteq(compare(*n, *to.numeric));
  if (!has_order(found)) return false;
  std::string room;
  const std::string_view text = text_of(found, room);
  return text >= from.text && text <= to.text;
}

bool is_one_of(const key_result& found, const std::vector<choice>& values) {
  return std::any_of(values.begin(), values.end(),
                     [&](const choice& c) { return c.to ? within(found, c.from, *c.to) : found.equals(c.from.text); });
}

bool holds(const condition& test, key_lookup& in, failure& why) {
  const key_result found = in.find(test.key, why);
  if (why) return false;
  if (test.is == relation::has) return static_cast<bool>(found);
  if (!found) return test.is == relation::unequal;
  const auto ordered = [&](auto&& as_wanted) { return as_wanted(compare(found, test.values.front().from)); };
  switch (test.is) {
    case relation::equal: return is_one_of(found, test.values);
    case relation::unequal: return !is_one_of(found, test.values);
    case relation::less: return ordered([](order o) { return std::is_lt(o); });
    case relation::less_equal: return ordered([](order o) { return std::is_lteq(o); });
    case relation::greater: return ordered([](order o) { return std::is_gt(o); });
    case relation::greater_equal: return ordered([](order o) { return std::is_gteq(o); });
    case relation::matches: {
      std::string room;
      return test.pattern.found_in(text_of(found, room));
    }
    case relation::has: break;
  }
  return true;
}

}  // namespace

bool holds(const node& wanted, key_lookup& in, failure& why) {
  const auto part_holds = [&](const node& part) { return holds(part, in, why); };
  const auto& parts = wanted.parts;
  switch (wanted.how) {
    case node::joint::none: return holds(wanted.test, in, why);
    case node::joint::all: return std::all_of(parts.begin(), parts.end(), part_holds) && !why;
    case node::joint::any:
      return std::any_of(parts.begin(), parts.end(), [&](const node& part) { return part_holds(part) || why; }) && !why;
    case node::joint::negation: return !part_holds(parts.front()) && !why;
  }
  return false;
}

namespace {

void print_quoted(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) out.append(c == '"' ? 2 : 1, c);
  out += '"';
}

void print_text(std::string_view text, std::string& out) {
  if (can_stand_bare(text))
    out += text;
  else
    print_quoted(text, out);
}

/// Bare, text that reads as a number would be one; so would a dot beside those of a range be one of them.
void print_operand(const operand& what, bool beside_dots, std::string& out) {
  if (what.numeric || (!beside_dots && !read_number(what.text)))
    print_text(what.text, out);
  else
    print_quoted(what.text, out);
}

void print_range(const operand& from, const operand& to, std::string& out) {
  const bool beside_dots = from.text.ends_with('.') || to.text.starts_with('.');
  print_operand(from, beside_dots, out);
  out += "..";
  print_operand(to, beside_dots, out);
}

std::string_view sign_of(relation r) {
  constexpr std::array<std::string_view, 7> signs{"=", "!=", "<", "<=", ">", ">=", "~"};
  return signs[static_cast<std::size_t>(r)];
}

void print_condition(const condition& test, std::string& out) {
  if (test.is == relation::has) {
    out += "has ";
    return print_text(test.key.text(), out);
  }
  print_text(test.key.text(), out);
  out += sign_of(test.is);
  if (test.is == relation::matches) return print_quoted(test.values.front().from.text, out);
  const bool ordering = test.is != relation::equal && test.is != relation::unequal;
  for (std::size_t i = 0; i < test.values.size(); ++i) {
    const choice& c = test.values[i];
    if (i != 0) out += '/';
    if (c.to)
      print_range(c.from, *c.to, out);
    else if (ordering)
      print_operand(c.from, false, out);
    else
      print_text(c.from.text, out);
  }
}

/// Parentheses around what binds no closer than `outer`.
void print_part(const node& part, node::joint outer, std::string& out) {
  const bool alone = part.how == node::joint::none || part.how == node::joint::negation ||
                     (part.how == node::joint::all && outer == node::joint::any);
  if (!alone) out += '(';
  print(part, out);
  if (!alone) out += ')';
}

}  // namespace

void print(const node& what, std::string& out) {
  switch (what.how) {
    case node::joint::none: return print_condition(what.test, out);
    case node::joint::negation: out += "not "; return print_part(what.parts.front(), what.how, out);
    case node::joint::all:
    case node::joint::any: break;
  }
  for (std::size_t i = 0; i < what.parts.size(); ++i) {
    if (i != 0) out += what.how == node::joint::all ? " and " : " or ";
    print_part(what.parts[i], what.how, out);
  }
}

}  // namespace tgmap::select
