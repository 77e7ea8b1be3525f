// SPDX-License-Identifier: Apache-2.0
#include <tgmap/query/selection.hpp>

#include <algorithm>
#include <new>
#include <tgmap/enum_names.hpp>

#include "core/phrases.hpp"
#include "core/text/enum_table.hpp"
#include "query/selection_parser.hpp"

namespace tgmap {
inline namespace v0 {

std::string_view to_string_view(selection_error error) noexcept {
  return detail::selection_error_phrase(static_cast<std::uint64_t>(error));
}

TGMAP_ENUM_NAMES(selection_syntax, 0, "full", "single_clause")

namespace {

void add_keys(const query::node& from, std::vector<metadata_key>& to) {
  for (const query::node& child : from.children) add_keys(child, to);
  if (from.kind != query::node_kind::condition) return;
  const metadata_key& key = from.condition.key;
  const auto is_same = [&](const metadata_key& each) { return each.text() == key.text(); };
  if (std::none_of(to.begin(), to.end(), is_same)) to.push_back(key);
}

std::vector<metadata_key> keys_in(const query::node& root) {
  std::vector<metadata_key> out;
  add_keys(root, out);
  return out;
}

}  // namespace

selection selection::parse(std::string_view text, selection_syntax syntax, failure& why) noexcept {
  why = {};
  selection out;
  try {
    auto tree = std::make_shared<detail::selection_tree>();
    tree->root = syntax == selection_syntax::single_clause ? query::parse_single_clause(text, why)
                                                           : query::parse_selection(text, why);
    tree->is_of_messages = syntax == selection_syntax::single_clause;
    tree->varies_by_object = std::ranges::any_of(keys_in(tree->root), key_lookup::varies_by_object);
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

/// Tries the objects of a message in order, and enters the first one that matches: object 0 if there are no objects and
/// the message matches.
bool selection::enter_matching_object(key_lookup& in, failure& why) const {
  for (std::size_t j = 0;; ++j) {
    in.enter_object(j);
    failure here;
    if (query::matches(tree_->root, in, here)) {
      why = {};
      return true;
    }
    if (here && !why) why = here;
    if (!tree_->varies_by_object) break;
    // If the keys of the message cannot be read, those of no object can.
    failure unread;
    if (here && !in.load_summary(unread)) break;
    if (j + 1 < in.object_count(unread)) continue;
    if (unread && !why) why = unread;
    break;
  }
  in.leave_object();
  return false;
}

bool selection::enter_match(key_lookup& in, failure& why) const noexcept try {
  why = {};
  if (selects_all()) return true;
  const bool by_objects = !in.in_object_ && !tree_->is_of_messages && in.message_.version() != 1;
  return by_objects ? enter_matching_object(in, why) : query::matches(tree_->root, in, why);
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return false;
}

bool selection::matches(key_lookup& in, failure& why) const noexcept {
  const bool is_of_object = in.in_object_;
  const bool out = enter_match(in, why);
  if (!is_of_object) in.leave_object();
  return out;
}

selection_match selection::first_match(key_lookup& in, failure& why) const noexcept {
  const bool is_of_object = in.in_object_;
  if (!enter_match(in, why)) {
    if (!is_of_object) in.leave_object();
    return {};
  }
  failure unread;
  if (in.is_of_message_ && in.in_object_ && !in.has_object(unread)) in.leave_object();
  return {.is_match = true, .object = in.object_index()};
}

selection_match selection::first_match(key_lookup& in) const {
  failure why;
  const selection_match out = first_match(in, why);
  detail::raise_if(why);
  return out;
}

selection_match selection::first_match(const message& in, failure& why) const noexcept {
  key_lookup scope(in);
  return first_match(scope, why);
}

selection_match selection::first_match(const message& in) const {
  key_lookup scope(in);
  return first_match(scope);
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
  tree->root.kind = query::node_kind::all_of;
  auto& children = tree->root.children;
  for (const selection* side : {&a, &b}) {
    const query::node& root = side->tree_->root;
    if (root.kind == query::node_kind::all_of)
      children.insert(children.end(), root.children.begin(), root.children.end());
    else
      children.push_back(root);
  }
  tree->is_of_messages = a.tree_->is_of_messages && b.tree_->is_of_messages;
  tree->varies_by_object = a.tree_->varies_by_object || b.tree_->varies_by_object;
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
  if (tree_) query::print(tree_->root, out);
  return out;
}

std::vector<metadata_key> selection::keys() const { return tree_ ? keys_in(tree_->root) : std::vector<metadata_key>(); }

namespace {

/// Returns true if a condition on the key is not `has`.
bool compares_key(const query::node& tree, const std::string& key) {
  if (tree.kind == query::node_kind::condition)
    return tree.condition.test != query::comparison::exists && tree.condition.key.text() == key;
  return std::any_of(tree.children.begin(), tree.children.end(),
                     [&](const query::node& child) { return compares_key(child, key); });
}

/// Returns true if what meets the condition on this tree has the key: that it matches or, if `inverted`, does not.
bool requires_key(const query::node& tree, const std::string& key, bool inverted) {
  const auto child_requires = [&](const query::node& child) { return requires_key(child, key, inverted); };
  switch (tree.kind) {
    case query::node_kind::condition:
      return (tree.condition.test == query::comparison::unequal) == inverted && tree.condition.key.text() == key;
    case query::node_kind::negation: return requires_key(tree.children.front(), key, !inverted);
    case query::node_kind::all_of:
    case query::node_kind::any_of: break;
  }
  const bool must_meet_all = (tree.kind == query::node_kind::all_of) != inverted;
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

bool selection::supports_patterns() noexcept { return query::pattern::available(); }

}  // namespace v0
}  // namespace tgmap
