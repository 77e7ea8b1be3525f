// SPDX-License-Identifier: Apache-2.0
// Fast path for consecutive messages of one object whose metadata has the same keys: only values that differ are read.
// Agrees with row_reader, which reads all other messages. The bar is that of "messages" in python/bench/cubes.py:
// without this, and with headers of 512 bytes, its table takes 9 times as long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/message.hpp>
#include <vector>

#include "archive/lookup/object_cache.hpp"
#include "archive/lookup/single_object_header.hpp"
#include "cbor/map_template.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A `row_template` is the metadata of the message whose row was added last, and the places of the values of the row.
/// All members that are not noexcept may throw std::bad_alloc.
class row_template {
 public:
  /// A column of the table.
  struct column {
    std::size_t number = 0;
    bool is_collected = false;  ///< it is one of those that nobody asked for
  };

  void clear() noexcept { is_set_ = false; }
  explicit operator bool() const noexcept { return is_set_; }

  /// Copies metadata, and returns its layers: views of the copy. Returns false for metadata of another form. Then come
  /// add() and finish().
  bool assign(const single_object_header&, metadata& own, metadata& wide);

  /// Says that a column has the value of an item of the copy. A column has one value.
  void add(column, std::span<const std::byte> item);
  void finish(const single_object_header&);

  const std::vector<column>& columns() const noexcept { return columns_; }

  /// Compares the metadata of another message. Returns false if it has other keys.
  bool match(const single_object_header&);

  /// Calls `each(column, item)` for columns whose value may be another one in the message that matched.
  template <class Each>
  void each_change(Each&& each) {
    ++stamp_;
    for (const cbor::map_template::change& change : map_.changes())
      for (std::size_t i = first_[change.scalar]; i < first_[change.scalar + 1]; ++i) {
        value& changed = values_[of_scalar_[i]];
        if (changed.stamp == stamp_) continue;
        changed.stamp = stamp_;
        const std::size_t begin = map_.offset_in_match(changed.begin), end = map_.offset_in_match(changed.end);
        each(columns_[of_scalar_[i]], map_.matched().subspan(begin, end - begin));
      }
  }

  /// Takes the metadata that matched.
  void accept(const single_object_header&);

  /// Returns whether the descriptor is that of the last call of set_descriptor().
  bool has_descriptor(std::span<const std::byte> bytes, std::uint64_t region) const noexcept;
  void set_descriptor(std::span<const std::byte> bytes, std::uint64_t region);
  void forget_descriptor() noexcept { descriptor_.clear(); }

 private:
  struct value {
    std::size_t begin = 0, end = 0;  ///< in the map
    std::uint64_t stamp = 0;         ///< of the call of each_change() that has passed it
  };

  bool is_set_ = false;
  cbor::map_template map_{};
  object_cache::metadata_places places_{};
  std::vector<column> columns_{};
  std::vector<value> values_{};  ///< of the columns
  // The columns that have scalar i, or a list or map with it, are of_scalar_[first_[i], first_[i + 1]).
  std::vector<std::size_t> first_{}, of_scalar_{};
  std::uint64_t stamp_ = 0;
  std::vector<std::byte> descriptor_{};
  std::uint64_t region_ = 0;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
