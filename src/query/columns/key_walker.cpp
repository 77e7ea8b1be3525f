// SPDX-License-Identifier: Apache-2.0
#include "query/columns/key_walker.hpp"

#include <algorithm>

#include "archive/metadata/metadata_access.hpp"
#include "cbor/walk.hpp"
#include "index/metadata_columns.hpp"
#include "index/read_column.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

cbor::major major_of(std::span<const std::byte> item) noexcept {
  return static_cast<cbor::major>(std::to_integer<unsigned>(item.front()) >> 5);
}

bool is_divider(char c) noexcept { return c == '.' || c == '['; }

}  // namespace

void found_items::clear() noexcept {
  for (const std::size_t path : found_) items_[path] = {};
  found_.clear();
}

void found_items::add(std::size_t path, std::span<const std::byte> item) {
  if (has(path)) return;
  if (path >= items_.size()) items_.resize(path + 1);
  found_.push_back(path);
  items_[path] = item;
}

bool key_walker::accepts(std::string_view key) { return !check_column_key(key); }

void key_walker::give_number(node& to) {
  to.number = paths_.size();
  paths_.push_back(to.path);
}

/// Finds or adds the nodes of a path, and returns the last one.
key_walker::node_number key_walker::add_nodes(node_number in, std::string_view path) {
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const std::string_view name = path.substr(begin, end - begin);
    const node_number known = find(in, name);
    in = known == none ? add_child(in, name) : known;
    begin = end + 1;
  }
  return in;
}

std::size_t key_walker::add(std::string_view path) {
  node& last = nodes_[add_nodes(root, path)];
  if (last.number == no_path) give_number(last);
  return last.number;
}

std::size_t key_walker::add_collected(std::string_view path) {
  is_full_ = is_full_ || paths_.size() >= max_collected;
  if (is_full_) return no_path;
  node& last = nodes_[add_nodes(root, path)];
  if (last.number == no_path) give_number(last);
  return last.number;
}

key_walker::node_number key_walker::add_child(node_number in, std::string_view name) {
  buffer_.assign(reinterpret_cast<const char*>(&in), sizeof in);
  buffer_ += name;
  const auto added = static_cast<node_number>(nodes_.size());
  numbers_.emplace(buffer_, added);
  nodes_[in].children.push_back(added);
  std::string path = in == root ? std::string(name) : nodes_[in].path + '.' + std::string(name);
  const bool is_refused = !accepts(path) || (wants_ && !wants_(path));
  node& out = nodes_.emplace_back();
  out.name = name;
  out.path = std::move(path);
  out.is_refused = is_refused;
  out.parent = in;
  return added;
}

key_walker::node_number key_walker::find(node_number in, std::string_view key) {
  constexpr std::size_t few = 8;
  const auto& children = nodes_[in].children;
  if (children.size() <= few) {
    const auto found = std::ranges::find_if(children, [&](node_number each) { return nodes_[each].name == key; });
    return found == children.end() ? none : *found;
  }
  buffer_.assign(reinterpret_cast<const char*>(&in), sizeof in);
  buffer_ += key;
  const auto found = numbers_.find(buffer_);
  return found == numbers_.end() ? none : found->second;
}

/// Finds a key behind another one. Messages mostly have the same keys in the same order.
key_walker::node_number key_walker::find_child(node_number in, node_number before, std::string_view key) {
  const node_number expected = before == none ? nodes_[in].first_child : nodes_[before].follower;
  return expected != none && nodes_[expected].name == key ? expected : find(in, key);
}

/// Returns true if a key with dots or brackets may be a part of the path of a child, too.
bool key_walker::is_prefixed(node_number in, std::string_view key) {
  for (std::size_t i = 1; i < key.size(); ++i)
    if (is_divider(key[i]) && find(in, key.substr(0, i)) != none) return true;
  return false;
}

/// Adds a key that was met. Returns none if it is no part of a path, or there are too many. A key with dots is the path
/// by which it is found.
key_walker::node_number key_walker::collect(node_number in, std::string_view key, unsigned depth) {
  const std::size_t before = in == root ? 0 : nodes_[in].path.size() + 1;
  if (!is_collecting_ || depth >= max_depth || key.empty() || before + key.size() > max_column_name ||
      key.find('[') != key.npos)
    return none;
  is_full_ = is_full_ || nodes_.size() >= max_nodes;
  if (is_full_) return none;
  return add_nodes(in, key);
}

/// Takes the value of a child, and walks through it if it is a map with keys that are wanted.
bool key_walker::take(node_number number, std::span<const std::byte> item, unsigned depth, found_items& out) {
  const cbor::major major = major_of(item);
  const bool is_map = major == cbor::major::map;
  node& child = nodes_[number];
  if (is_collecting_ && child.number == no_path && !child.is_refused) {
    is_full_ = is_full_ || paths_.size() >= max_collected;
    if (!is_full_) give_number(child);
  }
  if (child.number != no_path) out.add(child.number, item);  // a map hides what layers behind have
  if (child.children.empty() && !(is_collecting_ && is_map)) return true;
  return major != cbor::major::tag && (!is_map || walk_map(item, number, hide_nothing, depth + 1, out));
}

bool key_walker::walk_map(std::span<const std::byte> map, node_number in, std::uint16_t hidden, unsigned depth,
                          found_items& out) {
  cbor_view::cursor at;
  if (!cbor::first(map, at) || !at.has_key) return false;
  bool has_one_reading = true;
  node_number before = none;
  while (cbor::next(at)) {
    const auto name = at.key.bytes_to_end();
    const std::byte* begin = name.data();
    const auto key = cbor::read_flat_text(begin, name.data() + name.size());
    if (!key) {
      has_one_reading = has_one_reading && major_of(name) != cbor::major::text;
      continue;
    }
    if (hidden != hide_nothing && hides(hidden, *key)) continue;
    node_number child = find_child(in, before, *key);
    if (child == none) {
      has_one_reading = has_one_reading && !is_prefixed(in, *key) && !(is_collecting_ && key->find('.') != key->npos);
      child = collect(in, *key, depth);
      if (child == none) continue;
    }
    if (nodes_[child].met_in_layer == layer_) {
      has_one_reading = false;
      // The last value of a repeated key counts. The paths in it are collected, too; their values are looked up.
      if (is_collecting_) static_cast<void>(take(child, at.value.bytes_to_end(), depth, out));
      continue;
    }
    nodes_[child].met_in_layer = layer_;
    if (nodes_[child].parent == in) {  // no key with dots
      (before == none ? nodes_[in].first_child : nodes_[before].follower) = child;
      before = child;
    }
    has_one_reading = take(child, at.value.bytes_to_end(), depth, out) && has_one_reading;
  }
  return has_one_reading && !at.is_malformed;
}

bool key_walker::walk(const metadata& keys, found_items& out) {
  bool has_one_reading = true;
  for (std::size_t i = 0; i < metadata_access::layers(keys); ++i) {
    has_one_reading = has_one_reading && !metadata_access::shadows_next(keys, i);
    ++layer_;
    const auto map = metadata_access::map_of_layer(keys, i).bytes_to_end();
    has_one_reading = walk_map(map, root, metadata_access::hidden_in_layer(keys, i), 0, out) && has_one_reading;
  }
  return has_one_reading;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
