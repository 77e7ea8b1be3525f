// SPDX-License-Identifier: Apache-2.0
#include "query/columns/key_walker.hpp"

#include <algorithm>
#include <cstring>

#include "archive/metadata/metadata_access.hpp"
#include "cbor/guarded_read.hpp"
#include "cbor/walk.hpp"
#include "index/metadata_columns.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

bool found_items::add(std::size_t path, std::span<const std::byte> item) noexcept {
  if (has(path)) return true;
  if (item.empty() || item.size() > max_item_size) return false;
  std::memcpy(bytes_.data() + path * max_item_size, item.data(), item.size());
  sizes_[path] = static_cast<std::uint16_t>(item.size());
  return true;
}

bool key_walker::accepts(std::string_view key) { return !check_column_key(key); }

std::size_t key_walker::add(std::string_view path) {
  std::size_t at = 0;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const std::string_view name = path.substr(begin, end - begin);
    const auto& children = nodes_[at].children;
    const auto known = std::ranges::find_if(children, [&](std::size_t child) { return nodes_[child].name == name; });
    if (known != children.end()) {
      at = *known;
    } else {
      const std::size_t added = nodes_.size();
      nodes_.push_back({.name = std::string(name)});
      nodes_[at].children.push_back(added);
      at = added;
    }
    begin = end + 1;
  }
  if (nodes_[at].path == no_path) nodes_[at].path = path_count_++;
  return nodes_[at].path;
}

/// A key with a dot or a bracket behind the name of a child may be a part of the same path, too.
key_walker::match key_walker::find_child(const node& in, std::string_view key) noexcept {
  for (const std::size_t number : in.children) {
    node& child = nodes_[number];
    const std::size_t size = child.name.size();
    if (key.size() < size || std::memcmp(key.data(), child.name.data(), size) != 0) continue;
    if (key.size() == size) return {.child = &child};
    if (key[size] == '.' || key[size] == '[') return {.is_ambiguous = true};
  }
  return {};
}

bool key_walker::walk_map(std::span<const std::byte> map, const node& in, std::uint16_t hidden,
                          found_items& out) noexcept {
  cbor_view::cursor at;
  if (!cbor::first(map, at) || !at.has_key) return false;
  while (cbor::next(at)) {
    const auto name = at.key.bytes_to_end();
    const std::byte* begin = name.data();
    const auto key = cbor::read_flat_text(begin, name.data() + name.size());
    if (!key) {
      if (static_cast<cbor::major>(std::to_integer<unsigned>(name.front()) >> 5) == cbor::major::text) return false;
      continue;
    }
    const match found = find_child(in, *key);
    if (found.child == nullptr && !found.is_ambiguous) continue;
    if (hidden != hide_nothing && hides(hidden, *key)) continue;
    if (found.is_ambiguous) return false;
    node& child = *found.child;
    if (child.met_in_layer == layer_) return false;  // repeated
    child.met_in_layer = layer_;
    const auto item = at.value.bytes_to_end();
    if (child.path != no_path && !out.add(child.path, item)) return false;
    if (child.children.empty()) continue;
    const auto major = static_cast<cbor::major>(std::to_integer<unsigned>(item.front()) >> 5);
    if (major == cbor::major::tag || (major == cbor::major::map && !walk_map(item, child, hide_nothing, out)))
      return false;
  }
  return !at.is_malformed;
}

bool key_walker::walk(const metadata& keys, found_items& out) noexcept {
  return cbor::read_guarded(false, [&]() noexcept {
    for (std::size_t i = 0; i < metadata_access::layers(keys); ++i) {
      if (metadata_access::shadows_next(keys, i)) return false;
      ++layer_;
      if (!walk_map(metadata_access::map_of_layer(keys, i).bytes_to_end(), nodes_.front(),
                    metadata_access::hidden_in_layer(keys, i), out))
        return false;
    }
    return true;
  });
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
