// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/cbor_view.hpp>
#include <tgmap/error.hpp>
#include <utility>
#include <vector>

namespace tgmap {
inline namespace v0 {

namespace detail {
class archive_state;
struct metadata_access;
class path_cache;
}  // namespace detail

/// A `metadata` is a view of keys and values in several layers. It is trivially copyable. The innermost layer that has
/// a key wins. The layers are never merged into a tree.
///
/// The layers of an object are its preceder, its `base` entry and the message-wide keys, innermost first. `base` is the
/// list in the message metadata that has one entry for each object; a preceder is a frame before its object. A key of
/// the preceder hides the whole same key of the `base` entry. A path that neither holds is looked up in the
/// message-wide keys. All dialects of versions 2 and 3 give these layers. A `name` that no layer has is found in the
/// descriptor of the object, if its map has this key; no other key of the descriptor is.
/// Lifetime: valid while the archive, or a pin of it, lives.
/// Thread safety: any number of threads may use it.
/// Spec: §5.1, §5.2, §5.3.
class TGMAP_API metadata {
 public:
  /// Makes metadata without any keys.
  metadata() noexcept = default;

  /// Returns the value at a dotted path, such as "mars.levelist[0]"; see `cbor_view::at_path`.
  /// Complexity: O(bytes of the layers that are searched). In messages of 17 and more objects whose message-wide keys
  /// take more than 1 KiB, the place of each path in these keys is remembered. Then each object takes O(bytes of its
  /// own layers). This takes memory up to twice the bytes of those keys. Reads the descriptor only for a `name` that no
  /// layer has; a descriptor that cannot be read has none.
  std::optional<cbor_view> find(std::string_view dotted) const noexcept;

  /// Returns the value of the key of exactly this name, which may have dots and brackets: one of `entries()`.
  /// Complexity: as find().
  std::optional<cbor_view> find_key(std::string_view key) const noexcept;

  /// Returns the value at a dotted path as `T`: `get<int>("mars.step")`, `get<std::string>("mars.param")`. Returns
  /// nothing if it is absent, of another kind or out of the range of `T`. `T` is any type that `cbor_view::get` takes.
  template <class T>
  std::optional<T> get(std::string_view dotted) const noexcept(noexcept(std::declval<const cbor_view&>().get<T>())) {
    const auto found = find(dotted);
    return found ? found->get<T>() : std::nullopt;
  }

  /// An `entry` is a visible key and its value.
  struct entry {
    std::string key;
    cbor_view value;
  };

  /// Returns each visible key once, innermost layer first, in file order. Leaves out keys that are not text, and
  /// the `name` of the descriptor, which is no metadata. Throws std::bad_alloc.
  /// Complexity: O(n log n) in the bytes; allocates.
  std::vector<entry> entries() const;

  /// Calls `each(std::string_view key, value)` for all `entries()` until it returns false. Returns whether all were
  /// visited.
  template <class F>
  bool visit(F&& each) const {
    for (const entry& e : entries())
      if (!each(std::string_view(e.key), e.value)) return false;
    return true;
  }

  /// Returns whether there is no layer. Metadata whose layers are empty maps is not empty.
  bool empty() const noexcept { return count_ == 0; }

 private:
  friend struct detail::metadata_access;

  struct layer {
    cbor_view map{};
    std::uint16_t hidden = 0;   ///< sets of keys that this layer hides
    bool shadows_next = false;  ///< a key found here hides the same key of the next layer
  };
  static constexpr std::size_t max_layers = 5;

  /// Looks a path up in the layers [from, to). The first layer that has it wins.
  struct lookup;
  lookup look_up(std::string_view dotted, std::size_t from, std::size_t to) const noexcept;
  std::optional<cbor_view> find_in_layers(std::string_view dotted) const noexcept;
  std::optional<cbor_view> find_descriptor_name() const noexcept;
  lookup look_up_key(std::string_view key, std::size_t from, std::size_t to) const noexcept;
  template <class LookUp>
  std::optional<cbor_view> remember(std::string_view name, LookUp&&) const noexcept;

  std::array<layer, max_layers> layers_{};
  detail::path_cache* wide_paths_ = nullptr;  ///< cached lookups in the message-wide layers; null: none
  std::uint8_t count_ = 0;
  std::uint8_t wide_from_ = 0;                             ///< the first message-wide layer; used with wide_paths_
  const detail::archive_state* archive_ = nullptr;         ///< of which this is metadata
  std::uint64_t descriptor_at_ = 0, descriptor_size_ = 0;  ///< place of the descriptor; 0: not of an object
};

/// A `metadata_copy` is metadata whose bytes do not change or disappear with the file. Nothing is copied if nobody can
/// change the bytes of the archive, or if it owns them in memory. Copies of it share the bytes.
/// Lifetime: valid while the archive, or a pin of it, lives.
/// Thread safety: one thread at a time.
class TGMAP_API metadata_copy {
 public:
  metadata_copy() noexcept = default;

  /// Copies the layers. Large message-wide layers are copied once for all objects of a message, and kept by the
  /// archive.
  /// Errors: file_shrank, out_of_memory, of the operating system.
  /// Complexity: O(bytes of the layers).
  explicit metadata_copy(const metadata&);
  static metadata_copy of(const metadata&, failure&) noexcept;

  /// Returns the copy. If it finds a `name` in the descriptor of the object, that value is a view of the archive.
  const metadata& keys() const noexcept TGMAP_LIFETIMEBOUND { return keys_; }

  /// Does the same as metadata::find, and copies a `name` of the descriptor, too.
  /// Errors: file_shrank, out_of_memory, of the operating system.
  /// Lifetime: the value is valid while this or a copy of it lives.
  std::optional<cbor_view> find(std::string_view dotted) TGMAP_LIFETIMEBOUND;
  std::optional<cbor_view> find(std::string_view dotted, failure&) noexcept TGMAP_LIFETIMEBOUND;

 private:
  metadata keys_{};
  std::shared_ptr<const std::vector<std::byte>> bytes_{}, name_{};
};

}  // namespace v0
}  // namespace tgmap
