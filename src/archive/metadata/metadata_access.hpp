// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tgmap/metadata.hpp>

#include "archive/metadata/metadata_sections.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Builds metadata from layers, innermost first.
struct metadata_access {
  static constexpr std::size_t max_layers = metadata::max_layers;

  /// Adds a layer; does nothing if `map` is null.
  static void add(metadata& to, const cbor_view& map, std::uint16_t hidden, bool shadows_next = false) noexcept {
    if (map.bytes_to_end().empty() || to.count_ == metadata::max_layers) return;
    to.layers_[to.count_++] = {map, hidden, shadows_next};
  }
  /// Adds the layers that all objects of a message share: extra, common and free keys.
  static void add_message_wide(metadata& to, const metadata_sections& from) noexcept {
    to.wide_from_ = to.count_;
    to.wide_paths_ = from.wide_paths;
    add(to, from.extra, hide_nothing);
    add(to, from.common, hide_nothing);
    add(to, from.top, from.hidden_top);
  }

  static std::size_t layers(const metadata& of) noexcept { return of.count_; }
  static const cbor_view& map_of_layer(const metadata& of, std::size_t i) noexcept { return of.layers_[i].map; }
  /// Replaces the map of a layer by a copy, and drops the path cache, which refers to the original.
  static void replace_map(metadata& of, std::size_t i, const cbor_view& copy) noexcept {
    of.layers_[i].map = copy;
    of.wide_paths_ = nullptr;
  }

  /// Returns the map that holds all visible keys, if there is one layer that hides at most `_reserved_`.
  static std::optional<cbor_view> only_map(const metadata& of) noexcept {
    const bool one = of.count_ == 1 && (of.layers_[0].hidden & ~hide_provenance) == 0;
    return one ? std::optional(of.layers_[0].map) : std::nullopt;
  }
  static bool shows_provenance(const metadata& of) noexcept { return (of.layers_[0].hidden & hide_provenance) == 0; }
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
