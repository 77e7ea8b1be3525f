// SPDX-License-Identifier: Apache-2.0
// Collects the values of a key row by row, and finds the type of the column at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/query/key_columns.hpp>
#include <vector>

#include "core/seeded_hash.hpp"
#include "index/column.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A `column_builder` collects values. All members may throw std::bad_alloc.
class column_builder {
 public:
  column_builder() = default;
  column_builder(column_builder&&) noexcept = default;
  column_builder& operator=(column_builder&&) noexcept = default;

  void add_missing() { cells_.push_back({}); }

  /// Adds an item that is in memory and cannot disappear.
  void add_item(std::span<const std::byte>);
  void add(const key_result&);

  /// Appends the rows of a column that follows.
  void append(const column_builder& next);

  /// Removes all rows behind the first `rows`.
  void resize(std::size_t rows) { cells_.resize(rows); }

  /// Returns the column. The builder is empty afterwards.
  key_column finish(std::string key);

 private:
  enum class cell_kind : std::uint8_t { missing, boolean, integer, large_integer, floating, text };
  static constexpr std::size_t kind_count = 6;

  /// A value. `bits`: the number, the bits of a double, or the code of a text.
  struct cell {
    cell_kind kind = cell_kind::missing;
    std::uint64_t bits = 0;
  };

  void add(cell_kind kind, std::uint64_t bits) { cells_.push_back({kind, bits}); }
  void add_text(std::string_view text) { add(cell_kind::text, code_of(text)); }
  void add_view(const cbor_view&);
  std::uint32_t code_of(std::string_view text);
  column_type type() const noexcept;
  std::uint32_t text_code(const cell&);
  void fill(key_column&);
  void fill_texts(key_column&);

  std::vector<cell> cells_{};
  core::text_map<std::uint32_t> codes_{};
  std::vector<std::string_view> texts_{};  ///< by code; the keys of `codes_`, which do not move
  std::string buffer_{};
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
