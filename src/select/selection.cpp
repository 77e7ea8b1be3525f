// SPDX-License-Identifier: Apache-2.0
#include <tgmap/query/selection.hpp>

#include <algorithm>
#include <new>

#include "core/phrases.hpp"
#include "select/selection_parser.hpp"

namespace tgmap {
inline namespace v0 {

std::string_view to_string_view(selection_error error) noexcept {
  return detail::selection_error_phrase(static_cast<std::uint64_t>(error));
}

selection selection::parse(std::string_view text, selection_syntax syntax, failure& why) noexcept {
  why = {};
  selection out;
  try {
    auto tree = std::make_shared<detail::selection_tree>();
    tree->root = syntax == selection_syntax::single_clause ? select::parse_single_clause(text, why)
                                                           : select::parse_selection(text, why);
    if (!why) out.tree_ = std::move(tree);
  } catch (const std::bad_alloc&) {
    why = {.code = errc::out_of_memory};
  }
  return out;
}

selection::selection(std::string_view text, selection_syntax syntax) {
  failure why;
  *this = parse(text, syntax, why);
  detail::raise_if(why);
}

bool selection::matches(key_lookup& in, failure& why) const noexcept {
  why = {};
  if (selects_all()) return true;
  try {
    return select::matches(tree_->root, in, why);
  } catch (const std::bad_alloc&) {
    why = {.code = errc::out_of_memory};
    return false;
  }
}

bool selection::matches(key_lookup& in) const {
  failure why;
  const bool out = matches(in, why);
  detail::raise_if(why);
  return out;
}

bool selection::matches(const message& in, failure& why) const noexcept {
  key_lookup scope(in);
  return matches(scope, why);
}

bool selection::matches(const message& in) const {
  key_lookup scope(in);
  return matches(scope);
}

bool selection::matches(const message& in, const object& one, failure& why) const noexcept {
  key_lookup scope(in, one);
  return matches(scope, why);
}

bool selection::matches(const message& in, const object& one) const {
  key_lookup scope(in, one);
  return matches(scope);
}

selection operator&&(const selection& a, const selection& b) {
  if (a.selects_all()) return b;
  if (b.selects_all()) return a;
  auto tree = std::make_shared<detail::selection_tree>();
  tree->root.kind = select::node_kind::all_of;
  auto& children = tree->root.children;
  for (const selection* side : {&a, &b}) {
    const select::node& root = side->tree_->root;
    if (root.kind == select::node_kind::all_of)
      children.insert(children.end(), root.children.begin(), root.children.end());
    else
      children.push_back(root);
  }
  selection out;
  out.tree_ = std::move(tree);
  return out;
}

std::string quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) out.append(c == '"' ? 2 : 1, c);
  return out += '"';
}

std::string selection::text() const {
  std::string out;
  if (tree_) select::print(tree_->root, out);
  return out;
}

namespace {

void add_keys(const select::node& from, std::vector<metadata_key>& to) {
  for (const select::node& child : from.children) add_keys(child, to);
  if (from.kind != select::node_kind::condition) return;
  const metadata_key& key = from.condition.key;
  const auto is_same = [&](const metadata_key& each) { return each.text() == key.text(); };
  if (std::none_of(to.begin(), to.end(), is_same)) to.push_back(key);
}

}  // namespace

std::vector<metadata_key> selection::keys() const {
  std::vector<metadata_key> out;
  if (tree_) add_keys(tree_->root, out);
  return out;
}

namespace {

/// Returns true if a condition on the key is not `has`.
bool compares_key(const select::node& tree, const std::string& key) {
  if (tree.kind == select::node_kind::condition)
    return tree.condition.test != select::comparison::exists && tree.condition.key.text() == key;
  return std::any_of(tree.children.begin(), tree.children.end(),
                     [&](const select::node& child) { return compares_key(child, key); });
}

/// Returns true if what meets the condition on this tree has the key: that it matches or, if `inverted`, does not.
bool requires_key(const select::node& tree, const std::string& key, bool inverted) {
  const auto child_requires = [&](const select::node& child) { return requires_key(child, key, inverted); };
  switch (tree.kind) {
    case select::node_kind::condition:
      return (tree.condition.test == select::comparison::unequal) == inverted && tree.condition.key.text() == key;
    case select::node_kind::negation: return requires_key(tree.children.front(), key, !inverted);
    case select::node_kind::all_of:
    case select::node_kind::any_of: break;
  }
  const bool must_meet_all = (tree.kind == select::node_kind::all_of) != inverted;
  return must_meet_all ? std::any_of(tree.children.begin(), tree.children.end(), child_requires)
                       : std::all_of(tree.children.begin(), tree.children.end(), child_requires);
}

}  // namespace

std::vector<metadata_key> selection::optional_keys() const {
  std::vector<metadata_key> out = keys();
  std::erase_if(out, [&](const metadata_key& key) {
    return !compares_key(tree_->root, key.text()) || requires_key(tree_->root, key.text(), false);
  });
  return out;
}

bool selection::supports_patterns() noexcept { return select::pattern::available(); }

}  // namespace v0
}  // namespace tgmap
