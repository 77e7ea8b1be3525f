// SPDX-License-Identifier: Apache-2.0
// Fast path: reads a map that differs from the one before only in its numbers and texts, as metadata of consecutive
// messages mostly does, by comparing both. Bar and factor: see row_template.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tgmap::cbor {

/// A `map_template` is a copy of a map, with the places of the scalars in it: values, also in lists, that are no map
/// and no list. It finds the scalars of other maps that have the same keys in the same order, and lists of the same
/// lengths. Thread safety: one thread at a time. Members that are not noexcept may throw std::bad_alloc.
class map_template {
 public:
  /// Maximum size of a map.
  static constexpr std::size_t max_size = 1 << 16;

  /// A range of the map.
  struct scalar {
    std::uint32_t begin = 0, end = 0;
  };
  /// A scalar that is another one in the map that was compared last.
  struct change {
    std::size_t scalar = 0;             ///< number in scalars()
    std::span<const std::byte> item{};  ///< in the other map
  };

  /// Copies the map at the start of `bytes`, which must be in memory. Returns false, and is empty then, for a map that
  /// read_flat_map() refuses, that is larger than max_size, or in which a key is a map or a list.
  /// Complexity: O(bytes of the map).
  bool assign(std::span<const std::byte> bytes, std::uint32_t max_depth);

  /// Returns the copy. Lifetime: until assign() or accept().
  std::span<const std::byte> bytes() const noexcept { return bytes_; }

  /// Returns the scalars in order.
  std::span<const scalar> scalars() const noexcept { return scalars_; }

  /// Compares the map at the start of `bytes`, which must be in memory, and finds its scalars that differ. Returns
  /// false if it differs in anything else; the caller then reads it in the general way. A map that matches is one that
  /// read_flat_map() accepts. Bytes behind it are not read. Lifetime: changes() borrow from `bytes`.
  /// Complexity: O(bytes of the map).
  bool match(std::span<const std::byte> bytes);
  std::span<const change> changes() const noexcept { return changes_; }

  /// Returns the map that matched last.
  std::span<const std::byte> matched() const noexcept { return matched_; }

  /// Returns where in the map that matched last an item begins or ends that does so at an offset of this map.
  /// Complexity: O(changes).
  std::size_t offset_in_match(std::size_t offset) const noexcept;

  /// Returns whether all items of the map that matched last begin and end at the same offsets as here.
  bool has_equal_sizes() const noexcept;

  /// Takes the bytes of the map that matched last, which has no changes() then.
  void accept();

 private:
  bool find_scalars();

  std::vector<std::byte> bytes_{};
  std::vector<scalar> scalars_{};
  std::vector<change> changes_{};
  std::span<const std::byte> matched_{};
};

}  // namespace tgmap::cbor
