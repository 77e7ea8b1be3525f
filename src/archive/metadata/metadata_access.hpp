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

/// A `metadata_access` builds metadata from layers, innermost first.
struct metadata_access {
  static constexpr std::size_t max_layers = metadata::max_layers;

  /// Adds a layer of an archive; does nothing if `map` is null.
  static void add(metadata& metadata, const archive_state& of, const cbor_view& map, std::uint16_t hidden,
                  bool shadows_next = false) noexcept {
    metadata.archive_ = &of;
    if (map.bytes_to_end().empty() || metadata.count_ == metadata::max_layers) return;
    metadata.layers_[metadata.count_++] = {map, hidden, shadows_next};
  }
  /// Adds the layers that all objects of a message share: extra, common and free keys.
  static void add_message_wide(metadata& metadata, const archive_state& of,
                               const metadata_sections& sections) noexcept {
    metadata.wide_from_ = metadata.count_;
    metadata.wide_paths_ = sections.wide_paths;
    add(metadata, of, sections.extra, hide_nothing);
    add(metadata, of, sections.common, hide_nothing);
    add(metadata, of, sections.top, sections.hidden_top);
  }

  /// Says where the descriptor of the object is, which may have its name.
  static void set_descriptor(metadata& metadata, std::uint64_t at, std::uint64_t size) noexcept {
    metadata.descriptor_at_ = at;
    metadata.descriptor_size_ = size;
  }

  static std::size_t layers(const metadata& metadata) noexcept { return metadata.count_; }
  static const cbor_view& map_of_layer(const metadata& metadata, std::size_t i) noexcept {
    return metadata.layers_[i].map;
  }
  static std::uint16_t hidden_in_layer(const metadata& metadata, std::size_t i) noexcept {
    return metadata.layers_[i].hidden;
  }
  static bool shadows_next(const metadata& metadata, std::size_t i) noexcept {
    return metadata.layers_[i].shadows_next;
  }
  /// Replaces the map of a layer by a copy.
  static void replace_map(metadata& metadata, std::size_t i, const cbor_view& copy) noexcept {
    metadata.layers_[i].map = copy;
  }

  static const archive_state* archive(const metadata& metadata) noexcept { return metadata.archive_; }
  static std::size_t wide_from(const metadata& metadata) noexcept { return metadata.wide_from_; }
  static path_cache* wide_paths(const metadata& metadata) noexcept { return metadata.wide_paths_; }
  static void set_wide_paths(metadata& metadata, path_cache* paths) noexcept { metadata.wide_paths_ = paths; }
  static bool has_in_layers(const metadata& metadata, std::string_view path) noexcept {
    return metadata.find_in_layers(path).has_value();
  }

  /// Returns the map that holds all visible keys, if there is one layer that hides at most `_reserved_`.
  static std::optional<cbor_view> only_map(const metadata& metadata) noexcept {
    const bool has_one_map = metadata.count_ == 1 && (metadata.layers_[0].hidden & ~hide_provenance) == 0;
    return has_one_map ? std::optional(metadata.layers_[0].map) : std::nullopt;
  }
  static bool shows_provenance(const metadata& metadata) noexcept {
    return (metadata.layers_[0].hidden & hide_provenance) == 0;
  }
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
