// SPDX-License-Identifier: Apache-2.0
#include <tgmap/where.hpp>

#include <algorithm>
#include <new>

#include "select/where_read.hpp"

namespace tgmap {
inline namespace v0 {

where where::parse(std::string_view text, where_reading reading, failure& why) noexcept {
  why = {};
  where out;
  try {
    auto tree = std::make_shared<detail::where_tree>();
    tree->root = reading == where_reading::plain ? select::read_plain_where(text, why) : select::read_where(text, why);
    if (!why) out.tree_ = std::move(tree);
  } catch (const std::bad_alloc&) {
    why = {.code = errc::out_of_memory};
  }
  return out;
}

where::where(std::string_view text, where_reading reading) {
  failure why;
  *this = parse(text, reading, why);
  detail::raise_if(why);
}

bool where::matches(key_scope& in, failure& why) const noexcept {
  why = {};
  if (everything()) return true;
  try {
    return select::holds(tree_->root, in, why);
  } catch (const std::bad_alloc&) {
    why = {.code = errc::out_of_memory};
    return false;
  }
}

bool where::matches(key_scope& in) const {
  failure why;
  const bool out = matches(in, why);
  detail::raise_if(why);
  return out;
}

bool where::matches(const message& in, failure& why) const noexcept {
  key_scope scope(in);
  return matches(scope, why);
}

bool where::matches(const message& in) const {
  key_scope scope(in);
  return matches(scope);
}

bool where::matches(const message& in, const object& one, failure& why) const noexcept {
  key_scope scope(in, one);
  return matches(scope, why);
}

bool where::matches(const message& in, const object& one) const {
  key_scope scope(in, one);
  return matches(scope);
}

where operator&&(const where& a, const where& b) {
  if (a.everything()) return b;
  if (b.everything()) return a;
  auto tree = std::make_shared<detail::where_tree>();
  tree->root.how = select::node::joint::all;
  auto& parts = tree->root.parts;
  for (const where* side : {&a, &b}) {
    const select::node& root = side->tree_->root;
    if (root.how == select::node::joint::all)
      parts.insert(parts.end(), root.parts.begin(), root.parts.end());
    else
      parts.push_back(root);
  }
  where out;
  out.tree_ = std::move(tree);
  return out;
}

std::string where::text() const {
  std::string out;
  if (tree_) select::print(tree_->root, out);
  return out;
}

namespace {

void add_keys(const select::node& from, std::vector<key>& to) {
  for (const select::node& part : from.parts) add_keys(part, to);
  if (from.how != select::node::joint::none) return;
  const auto same = [&](const key& k) { return k.text() == from.test.key.text(); };
  if (std::none_of(to.begin(), to.end(), same)) to.push_back(from.test.key);
}

}  // namespace

std::vector<key> where::keys() const {
  std::vector<key> out;
  if (tree_) add_keys(tree_->root, out);
  return out;
}

bool where::has_patterns() noexcept { return select::pattern::available(); }

}  // namespace v0
}  // namespace tgmap
