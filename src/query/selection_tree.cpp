// SPDX-License-Identifier: Apache-2.0
#include "query/selection_tree.hpp"

#include <algorithm>
#include <array>
#include <tgmap/query/selection.hpp>

#include "query/selection_words.hpp"

namespace tgmap::query {

namespace {

using order = std::partial_ordering;

/// Returns the number that was found: a stored number, or text that is a number.
std::optional<number> number_of(const key_result& found) {
  if (const auto* const n = std::get_if<std::uint64_t>(&found.get())) return number::of(*n);
  const auto* const item = std::get_if<cbor_view>(&found.get());
  if (item == nullptr) return std::nullopt;
  if (const auto n = item->get<std::uint64_t>()) return number::of(*n);  // the most frequent type
  if (item->kind() != cbor_kind::text) return query::number_of(*item);
  const auto text = item->get<std::string_view>();
  return text ? read_number(*text) : read_number(item->text());
}

/// Returns true if the value has an order. Lists, arrays and maps have none.
bool has_order(const key_result& found) {
  const auto* const item = std::get_if<cbor_view>(&found.get());
  if (item != nullptr) return item->kind() != cbor_kind::array && item->kind() != cbor_kind::map;
  return !std::holds_alternative<std::span<const std::uint64_t>>(found.get());
}

/// Returns the text of a value: in place if possible, else built in `buffer`.
std::string_view text_of(const key_result& found, std::string& buffer) {
  if (const auto* const text = std::get_if<std::string_view>(&found.get())) return *text;
  if (const auto* const item = std::get_if<cbor_view>(&found.get()))
    if (const auto text = item->get<std::string_view>()) return *text;
  buffer.clear();
  found.append_to(buffer);
  return buffer;
}

/// Compares a value with an operand. The result is unordered if the value has no order.
order compare(const key_result& found, const operand& operand) {
  if (operand.number)
    if (const auto n = number_of(found)) return compare(*n, *operand.number);
  if (!has_order(found)) return order::unordered;
  std::string buffer;
  return text_of(found, buffer) <=> std::string_view(operand.text);
}

bool in_range(const key_result& found, const operand& from, const operand& to) {
  if (from.number && to.number)
    if (const auto n = number_of(found))
      return std::is_gteq(compare(*n, *from.number)) && std::is_lteq(compare(*n, *to.number));
  if (!has_order(found)) return false;
  std::string buffer;
  const std::string_view text = text_of(found, buffer);
  return text >= from.text && text <= to.text;
}

/// Returns true if a number is found, or text that is a number, whose printed digits are one of the steps.
bool in_steps(const key_result& found, const number_steps& steps) {
  std::string buffer;
  return number_of(found) && steps.contains(text_of(found, buffer));
}

/// Returns true if a number is found that equals the operand. Text is not a number here.
bool equals_number(const key_result& found, const operand& operand) {
  if (!operand.number) return false;
  const auto* const item = std::get_if<cbor_view>(&found.get());
  if (item != nullptr && item->kind() == cbor_kind::text) return false;
  const auto n = number_of(found);
  // The digits of a float32 are those of the shortest text, which is not its exact value.
  return n && (std::is_eq(compare(*n, *operand.number)) || found.equals(operand.digits));
}

bool is_one_of(const key_result& found, const std::vector<alternative>& values) {
  return std::any_of(values.begin(), values.end(), [&](const alternative& each) {
    if (each.steps) return in_steps(found, *each.steps);
    if (each.to) return in_range(found, each.from, *each.to);
    return found.equals(each.from.text) || equals_number(found, each.from) ||
           std::any_of(each.synonyms.begin(), each.synonyms.end(),
                       [&](const std::string& text) { return found.equals(text); });
  });
}

bool matches(const condition& condition, key_lookup& in, failure& why) {
  const key_result found = in.find(condition.key, why);
  return !why && holds(condition, found);
}

}  // namespace

bool holds(const condition& condition, const key_result& found) {
  if (condition.test == comparison::exists) return static_cast<bool>(found);
  if (!found) return condition.test == comparison::unequal;
  const auto ordered = [&](auto&& accepts) { return accepts(compare(found, condition.values.front().from)); };
  switch (condition.test) {
    case comparison::equal: return is_one_of(found, condition.values);
    case comparison::unequal: return !is_one_of(found, condition.values);
    case comparison::less: return ordered([](order o) { return std::is_lt(o); });
    case comparison::less_equal: return ordered([](order o) { return std::is_lteq(o); });
    case comparison::greater: return ordered([](order o) { return std::is_gt(o); });
    case comparison::greater_equal: return ordered([](order o) { return std::is_gteq(o); });
    case comparison::matches: {
      std::string buffer;
      return condition.pattern.found_in(text_of(found, buffer));
    }
    case comparison::exists: break;
  }
  return true;
}

bool matches(const node& wanted, key_lookup& in, failure& why) {
  const auto child_matches = [&](const node& child) { return matches(child, in, why); };
  const auto& children = wanted.children;
  switch (wanted.kind) {
    case node_kind::condition: return matches(wanted.condition, in, why);
    case node_kind::all_of: return std::all_of(children.begin(), children.end(), child_matches) && !why;
    case node_kind::any_of:
      return std::any_of(children.begin(), children.end(),
                         [&](const node& child) { return child_matches(child) || why; }) &&
             !why;
    case node_kind::negation: return !child_matches(children.front()) && !why;
  }
  return false;
}

namespace {

void print_quoted(std::string_view text, std::string& out) { out += quote(text); }

void print_text(std::string_view text, std::string& out) {
  if (needs_no_quotes(text))
    out += text;
  else
    print_quoted(text, out);
}

/// Prints an operand. Text that could be taken for a number, or for a part of the dots of a range, gets quotes.
void print_operand(const operand& operand, bool beside_dots, std::string& out) {
  if (operand.number || (!beside_dots && !read_number(operand.text)))
    print_text(operand.text, out);
  else
    print_quoted(operand.text, out);
}

/// Prints a value after `=` or `!=`. Text that would be read in another way without quotes gets them.
void print_value(const operand& value, std::string& out) {
  const bool is_number = read_number(value.text).has_value();
  const std::string digits = is_number ? decimal_digits(value.text) : std::string();
  const bool has_other_digits = !digits.empty() && (digits != value.text || digits == "0");
  if ((has_other_digits && !value.number) || !range_word(value.text).empty())
    print_quoted(value.text, out);
  else
    print_text(value.text, out);
}

void print_range(const alternative& range, std::string& out) {
  const operand &from = range.from, &to = *range.to;
  const bool beside_dots = from.text.ends_with('.') || to.text.starts_with('.');
  const bool needs_word = range.steps || (beside_dots && from.number && to.number);
  print_operand(from, beside_dots, out);
  out += needs_word ? "/to/" : "..";
  print_operand(to, beside_dots, out);
  if (range.steps) out += "/by/" + range.step;
}

std::string_view sign_of(comparison test) {
  constexpr std::array<std::string_view, 7> signs{"=", "!=", "<", "<=", ">", ">=", "~"};
  return signs[static_cast<std::size_t>(test)];
}

void print_condition(const condition& condition, std::string& out) {
  if (condition.test == comparison::exists) {
    out += "has ";
    return print_text(condition.key.text(), out);
  }
  print_text(condition.key.text(), out);
  out += sign_of(condition.test);
  if (condition.test == comparison::matches) return print_quoted(condition.values.front().from.text, out);
  const bool is_ordering = condition.test != comparison::equal && condition.test != comparison::unequal;
  for (std::size_t i = 0; i < condition.values.size(); ++i) {
    const alternative& value = condition.values[i];
    if (i != 0) out += '/';
    if (value.to)
      print_range(value, out);
    else if (is_ordering)
      print_operand(value.from, false, out);
    else
      print_value(value.from, out);
  }
}

/// Prints a child, in parentheses unless it binds closer than its parent.
void print_child(const node& child, node_kind parent, std::string& out) {
  const bool binds_closer = child.kind == node_kind::condition || child.kind == node_kind::negation ||
                            (child.kind == node_kind::all_of && parent == node_kind::any_of);
  if (!binds_closer) out += '(';
  print(child, out);
  if (!binds_closer) out += ')';
}

}  // namespace

void print(const node& from, std::string& out) {
  switch (from.kind) {
    case node_kind::condition: return print_condition(from.condition, out);
    case node_kind::negation: out += "not "; return print_child(from.children.front(), from.kind, out);
    case node_kind::all_of:
    case node_kind::any_of: break;
  }
  for (std::size_t i = 0; i < from.children.size(); ++i) {
    if (i != 0) out += from.kind == node_kind::all_of ? " and " : " or ";
    print_child(from.children[i], from.kind, out);
  }
}

}  // namespace tgmap::query
