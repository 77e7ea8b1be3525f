// SPDX-License-Identifier: Apache-2.0
// Selections in one spelling, such that reading it gives the same selection.
#include <array>

#include "select/where_tree.hpp"
#include "select/words.hpp"

namespace tgmap::select {

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
