// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/cbor_view.hpp>
#include <utility>
#include <vector>

namespace tgmap {
inline namespace v0 {

namespace detail {
struct metadata_access;
class path_cache;
}  // namespace detail

/// Metadata in layers that lie in the archive: what holds innermost comes first. Never merged into a tree.
///
/// For an object (specification §5.3): its preceder, over its `base` entry, over the message-wide keys. A key of the
/// preceder hides the same key of the base entry whole; a path that the object's own layers do not hold is looked up
/// message-wide. All dialects of versions 2 and 3 (§5.1, §5.2) give these same layers.
///
/// Trivially copyable; valid while the archive, or a pin of it, lives; safe from any number of threads.
class TGMAP_API metadata {
 public:
  /// No keys at all.
  metadata() noexcept = default;

  /// The value at a dotted path, "mars.levelist[0]"; see `value::at_path`. O(bytes of the layers looked at). Where
  /// message-wide keys of a message of 17 and more objects take more than 1 KiB, it remembers where a path leads in
  /// them, so that asking each object takes O(bytes of its own layers): memory up to twice the bytes of those keys.
  std::optional<cbor_view> find(std::string_view dotted) const noexcept;

  /// Returns the value at a dotted path as `T`: `get<int>("mars.step")`, `get<std::string>("mars.param")`. Nothing when
  /// absent, of another kind, or beyond what `T` holds. `T` is any type that `value::get` takes.
  template <class T>
  std::optional<T> get(std::string_view dotted) const noexcept(noexcept(std::declval<const cbor_view&>().get<T>())) {
    const auto found = find(dotted);
    return found ? found->get<T>() : std::nullopt;
  }

  /// A key that is visible here, and its value.
  struct entry {
    std::string key;
    cbor_view value;
  };

  /// Visible keys once each, innermost layer first, in file order; keys other than text are left out.
  /// O(n log n) in the bytes, allocates. Throws std::bad_alloc.
  std::vector<entry> entries() const;

  /// Calls `each(std::string_view key, value)` for `entries()` until it returns false; returns whether all were
  /// visited.
  template <class F>
  bool visit(F&& each) const {
    for (const entry& e : entries())
      if (!each(std::string_view(e.key), e.value)) return false;
    return true;
  }

  /// True when there is no layer (not: when all layers are empty maps).
  bool empty() const noexcept { return count_ == 0; }

 private:
  friend struct detail::metadata_access;

  struct layer {
    cbor_view map{};
    std::uint16_t hidden = 0;   ///< sets of keys that this layer does not show
    bool shadows_next = false;  ///< a key found here hides the same key of the next layer
  };
  static constexpr std::size_t max_layers = 5;

  /// Looks a path up in the layers [from, to): the first that has it counts.
  struct lookup;
  lookup look_up(std::string_view dotted, std::size_t from, std::size_t to) const noexcept;

  std::array<layer, max_layers> layers_{};
  detail::path_cache* wide_paths_ = nullptr;  ///< remembered lookups in the message-wide layers; null: none
  std::uint8_t count_ = 0;
  std::uint8_t wide_from_ = 0;  ///< the first message-wide layer; used with wide_paths_
};

}  // namespace v0
}  // namespace tgmap
