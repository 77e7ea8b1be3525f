// SPDX-License-Identifier: Apache-2.0
// Finds the values of several keys in one walk over metadata.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/cbor_view.hpp>
#include <tgmap/metadata.hpp>
#include <utility>
#include <vector>

#include "core/seeded_hash.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A `found_items` holds the items that a walk found, by the number of the path. They are views of what was walked
/// over.
class found_items {
 public:
  void clear() noexcept;
  bool has(std::size_t path) const noexcept { return path < items_.size() && !items_[path].empty(); }
  std::span<const std::byte> item(std::size_t path) const noexcept { return items_[path]; }

  /// Adds an item, unless there is one. Throws std::bad_alloc.
  void add(std::size_t path, std::span<const std::byte> item);

  /// Returns the paths that were found, in order.
  std::span<const std::size_t> paths() const noexcept { return found_; }

 private:
  std::vector<std::span<const std::byte>> items_{};
  std::vector<std::size_t> found_{};
};

/// A `key_walker` is a set of paths that are looked up together. It finds what metadata::find finds, or reports that a
/// path can be read in several ways; the caller then uses metadata::find. With metadata::find instead, a table of four
/// keys takes 4 times as long.
/// Thread safety: one thread at a time; copies are independent. All members may throw std::bad_alloc.
class key_walker {
 public:
  /// Chooses among the paths that are collected.
  using key_filter = std::function<bool(std::string_view path)>;

  /// Paths that are added when they are met.
  static constexpr std::size_t max_collected = 1 << 14;

  key_walker() { nodes_.emplace_back(); }

  /// Returns whether a key can be walked to: it is a path of text keys, and not the name of a property.
  static bool accepts(std::string_view key);

  static constexpr std::size_t no_path = SIZE_MAX;

  /// Adds a path that accepts() accepts. Returns its number; equal paths have the same one.
  std::size_t add(std::string_view path);

  /// From now on adds the paths of all items that are met, if accepts() and the filter accept them and no key in them
  /// has brackets.
  void collect(key_filter wants = {}) {
    is_collecting_ = true;
    wants_ = std::move(wants);
  }

  /// Adds a path that another walker has met. Returns no_path if there are too many.
  std::size_t add_collected(std::string_view path);

  /// Returns the paths by number.
  const std::vector<std::string>& paths() const noexcept { return paths_; }

  /// Returns whether a path was not added because there were too many.
  bool is_full() const noexcept { return is_full_; }

  /// Adds the items that the layers of metadata have to those that were found before. Returns false if there are other
  /// readings, or if bytes are malformed; the paths that are met are added nevertheless. The bytes must not disappear.
  bool walk(const metadata&, found_items&);

 private:
  using node_number = std::uint32_t;
  static constexpr node_number root = 0, none = UINT32_MAX;
  static constexpr unsigned max_depth = 32;                    ///< of paths that are collected
  static constexpr std::size_t max_nodes = 2 * max_collected;  ///< that are met while paths are collected

  struct node {
    std::string name{};
    std::string path{};
    std::size_t number = no_path;  ///< of the path
    bool is_refused = false;       ///< accepts() or the filter refuses the path
    std::vector<node_number> children{};
    node_number parent = root, first_child = none, follower = none;  ///< that were met last in it, and behind it
    std::uint64_t met_in_layer = 0;                                  ///< number of the layer in which it was met last
  };

  bool walk_map(std::span<const std::byte> map, node_number in, std::uint16_t hidden, unsigned depth, found_items&);
  bool take(node_number child, std::span<const std::byte> item, unsigned depth, found_items&);
  node_number find_child(node_number in, node_number before, std::string_view key);
  node_number find(node_number in, std::string_view key);
  node_number add_child(node_number in, std::string_view key);
  node_number add_nodes(node_number in, std::string_view path);
  node_number collect(node_number in, std::string_view key, unsigned depth);
  bool is_prefixed(node_number in, std::string_view key);
  void give_number(node&);

  std::vector<node> nodes_{};
  core::text_map<node_number> numbers_{};  ///< by parent and name
  std::vector<std::string> paths_{};
  key_filter wants_{};
  std::string buffer_{};
  std::uint64_t layer_ = 0;
  bool is_collecting_ = false, is_full_ = false;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
