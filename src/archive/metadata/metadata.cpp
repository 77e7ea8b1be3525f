// SPDX-License-Identifier: Apache-2.0
// Lookups in layers of metadata, specification §5.3 and §5.5.
#include <tgmap/metadata.hpp>

#include <algorithm>
#include <map>
#include <new>

#include "archive/archive_state.hpp"
#include "archive/lookup/path_cache.hpp"
#include "archive/metadata/metadata_sections.hpp"
#include "archive/metadata/metadata_snapshot.hpp"
#include "cbor/guarded_read.hpp"
#include "cbor/path.hpp"
#include "cbor/prescan.hpp"
#include "cbor/structure/descriptor.hpp"
#include "cbor/text.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

/// Calls `test` with each prefix of the path that may be its first key: up to a dot or a bracket, and the whole path.
template <class F>
bool any_first_key(std::string_view path, F&& test) {
  for (std::size_t cut = 0; cut < path.size(); ++cut) {
    cut = std::min(path.find_first_of(".[", cut), path.size());
    if (test(path.substr(0, cut))) return true;
  }
  return false;
}

/// Names in the cache that begin with it are keys, not paths.
constexpr char whole_key = '\0';

/// Returns the shortest first key of a path. string_view::find_first_of would call memchr for each character.
std::string_view first_key(std::string_view path) noexcept {
  return path.substr(
      0, static_cast<std::size_t>(std::find_if(path.begin(), path.end(), [](char c) { return c == '.' || c == '['; }) -
                                  path.begin()));
}

}  // namespace

struct metadata::lookup {
  std::optional<cbor_view> found{};
  bool is_unreadable = false;  ///< the file no longer has the bytes of a layer
};

metadata::lookup metadata::look_up(std::string_view dotted, std::size_t from, std::size_t to) const noexcept {
  lookup out;
  const std::string_view key = first_key(dotted);
  for (std::size_t i = from; i < to; ++i) {
    const layer& layer = layers_[i];
    // A hidden key hides everything below it. Hidden keys have no dots.
    if (layer.hidden != 0 && detail::hides(layer.hidden, key)) continue;
    const lookup result = cbor::read_guarded(
        lookup{.is_unreadable = true}, [&]() noexcept { return lookup{.found = cbor::find_path(layer.map, dotted)}; });
    out.is_unreadable = out.is_unreadable || result.is_unreadable;
    if (result.found) return result;
    if (layer.shadows_next &&
        any_first_key(dotted, [&](std::string_view first) { return layer.map.find(first).has_value(); }))
      ++i;
  }
  return out;
}

/// Calls `look_up(from, to)` for the layers of the object, then for the message-wide ones, whose result is cached by
/// name.
template <class LookUp>
std::optional<cbor_view> metadata::remember(std::string_view name, LookUp&& look_up) const noexcept {
  if (wide_paths_ == nullptr) return look_up(0, count_).found;
  if (const auto own = look_up(0, wide_from_).found) return own;
  if (const auto* known = wide_paths_->find(name)) return known->found;
  const lookup wide = look_up(wide_from_, count_);
  // A lookup that could not read its bytes is not cached, because the file may get them back.
  if (!wide.is_unreadable) wide_paths_->add(name, wide.found);
  return wide.found;
}

std::optional<cbor_view> metadata::find_in_layers(std::string_view dotted) const noexcept {
  if (dotted.starts_with(whole_key)) return look_up(dotted, 0, count_).found;  // such names are cached for keys
  return remember(dotted, [&](std::size_t from, std::size_t to) { return look_up(dotted, from, to); });
}

metadata::lookup metadata::look_up_key(std::string_view key, std::size_t from, std::size_t to) const noexcept {
  lookup out;
  for (std::size_t i = from; i < to && !out.found; ++i) {
    const layer& layer = layers_[i];
    if (layer.hidden != 0 && detail::hides(layer.hidden, key)) continue;
    const lookup result = cbor::read_guarded(
        lookup{.is_unreadable = true}, [&]() noexcept { return lookup{.found = cbor::find_key(layer.map, key)}; });
    out = {.found = result.found, .is_unreadable = out.is_unreadable || result.is_unreadable};
  }
  return out;
}

std::optional<cbor_view> metadata::find_key(std::string_view key) const noexcept try {
  const std::string name = wide_paths_ == nullptr ? std::string() : whole_key + std::string(key);
  return remember(name, [&](std::size_t from, std::size_t to) { return look_up_key(key, from, to); });
} catch (const std::bad_alloc&) {
  return look_up_key(key, 0, count_).found;
}

/// Returns the name in the descriptor, for tools of the reference implementation that write it there.
std::optional<cbor_view> metadata::find_descriptor_name() const noexcept {
  if (descriptor_size_ < cbor::min_descriptor_size) return std::nullopt;
  detail::metadata_snapshot copy;
  if (copy.load(archive_->bytes(), descriptor_at_, descriptor_size_) ||
      cbor::prescan(copy.bytes(), archive_->options().max_cbor_depth, cbor::rules::untagged))
    return std::nullopt;
  const auto found = cbor_view(copy.bytes()).find("name");
  return found ? std::optional(copy.in_archive(*found)) : std::nullopt;
}

std::optional<cbor_view> metadata::find(std::string_view dotted) const noexcept {
  const auto found = find_in_layers(dotted);
  return found || descriptor_size_ == 0 || dotted != "name" ? found : find_descriptor_name();
}

std::vector<metadata::entry> metadata::entries() const {
  std::vector<entry> out;
  std::map<std::string, std::size_t> positions;  // not hashed, so that no input makes it slow
  for (std::size_t i = 0; i < count_; ++i) {
    const std::size_t layer_begin = out.size();
    cbor_view::cursor at;
    if (!layers_[i].map.first(at)) continue;
    while (cbor_view::next(at)) {
      if (at.key.kind() != cbor_kind::text) continue;
      std::string key = cbor::join_string(at.key.bytes_to_end());
      if (detail::hides(layers_[i].hidden, key)) continue;
      const auto [known, is_new] = positions.try_emplace(key, out.size());
      if (is_new)
        out.push_back({std::move(key), at.value});
      else if (known->second >= layer_begin)  // repeated within this layer: the last one wins
        out[known->second].value = at.value;
    }
  }
  return out;
}

}  // namespace v0
}  // namespace tgmap
