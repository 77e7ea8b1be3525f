// SPDX-License-Identifier: Apache-2.0
#include <tgmap/query/selection.hpp>

#include <algorithm>
#include <new>

#include "select/where_read.hpp"

namespace tgmap {
inline namespace v0 {

selection selection::parse(std::string_view text, selection_syntax reading, failure& why) noexcept {
  why = {};
  selection out;
  try {
    auto tree = std::make_shared<detail::where_tree>();
    tree->root = reading == selection_syntax::single_clause ? select::read_plain_where(text, why)
                                                            : select::read_where(text, why);
    if (!why) out.tree_ = std::move(tree);
  } catch (const std::bad_alloc&) {
    why = {.code = errc::out_of_memory};
  }
  return out;
}

selection::selection(std::string_view text, selection_syntax reading) {
  failure why;
  *this = parse(text, reading, why);
  detail::raise_if(why);
}

bool selection::matches(key_lookup& in, failure& why) const noexcept {
  why = {};
  if (selects_all()) return true;
  try {
    return select::holds(tree_->root, in, why);
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
  auto tree = std::make_shared<detail::where_tree>();
  tree->root.how = select::node::joint::all;
  auto& parts = tree->root.parts;
  for (const selection* side : {&a, &b}) {
    const select::node& root = side->tree_->root;
    if (root.how == select::node::joint::all)
      parts.insert(parts.end(), root.parts.begin(), root.parts.end());
    else
      parts.push_back(root);
  }
  selection out;
  out.tree_ = std::move(tree);
  return out;
}

std::string selection::text() const {
  std::string out;
  if (tree_) select::print(tree_->root, out);
  return out;
}

namespace {

void add_keys(const select::node& from, std::vector<metadata_key>& to) {
  for (const select::node& part : from.parts) add_keys(part, to);
  if (from.how != select::node::joint::none) return;
  const auto same = [&](const metadata_key& k) { return k.text() == from.test.key.text(); };
  if (std::none_of(to.begin(), to.end(), same)) to.push_back(from.test.key);
}

}  // namespace

std::vector<metadata_key> selection::keys() const {
  std::vector<metadata_key> out;
  if (tree_) add_keys(tree_->root, out);
  return out;
}

bool selection::supports_patterns() noexcept { return select::pattern::available(); }

}  // namespace v0
}  // namespace tgmap
