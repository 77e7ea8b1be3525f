// SPDX-License-Identifier: Apache-2.0
// Finds the values of several keys in one walk over metadata.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/cbor_view.hpp>
#include <tgmap/metadata.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A `found_items` holds copies of the items that a walk found, by the number of the path. The bytes of a mapped file
/// may disappear.
class found_items {
 public:
  static constexpr std::size_t max_item_size = 256;

  explicit found_items(std::size_t paths) : sizes_(paths), bytes_(paths * max_item_size) {}

  void clear() noexcept { std::fill(sizes_.begin(), sizes_.end(), std::uint16_t{0}); }
  bool has(std::size_t path) const noexcept { return sizes_[path] != 0; }
  std::span<const std::byte> item(std::size_t path) const noexcept {
    return std::span(bytes_).subspan(path * max_item_size, sizes_[path]);
  }

  /// Copies an item, unless there is one. Returns false if it is too long.
  bool add(std::size_t path, std::span<const std::byte> item) noexcept;

 private:
  std::vector<std::uint16_t> sizes_;
  std::vector<std::byte> bytes_;
};

/// A `key_walker` is a set of paths that are looked up together. It finds what metadata::find finds, or reports that a
/// path can be read in several ways; the caller then uses metadata::find. With metadata::find instead, a table of four
/// keys takes 4 times as long.
/// Thread safety: one thread at a time; copies are independent.
class key_walker {
 public:
  key_walker() { nodes_.emplace_back(); }

  /// Returns whether a key can be walked to: it is a path of text keys, and not the name of a property.
  static bool accepts(std::string_view key);

  /// Adds a path that accepts() accepts. Returns its number; equal paths have the same one.
  std::size_t add(std::string_view path);
  std::size_t path_count() const noexcept { return path_count_; }

  /// Adds the items that the layers of metadata have to those that were found before. Returns false if there are other
  /// readings, if bytes are malformed or an item is too long.
  bool walk(const metadata&, found_items&) noexcept;

 private:
  static constexpr std::size_t no_path = SIZE_MAX;

  struct node {
    std::string name{};
    std::size_t path = no_path;
    std::vector<std::size_t> children{};
    std::uint64_t met_in_layer = 0;  ///< number of the layer in which it was met last
  };

  /// The child that a key of a map names, or none.
  struct match {
    node* child = nullptr;
    bool is_ambiguous = false;
  };

  bool walk_map(std::span<const std::byte> map, const node& in, std::uint16_t hidden, found_items&) noexcept;
  match find_child(const node& in, std::string_view key) noexcept;

  std::vector<node> nodes_{};
  std::size_t path_count_ = 0;
  std::uint64_t layer_ = 0;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
