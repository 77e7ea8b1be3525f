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

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A `column_builder` collects values. It holds each different value once, and 8 bytes for each run of rows that have
/// the same one. All members may throw std::bad_alloc.
class column_builder {
 public:
  /// The number of a value; 0 of rows without one.
  using code = std::uint32_t;

  column_builder() = default;
  column_builder(column_builder&&) noexcept = default;
  column_builder& operator=(column_builder&&) noexcept = default;

  std::uint64_t rows() const noexcept { return rows_; }

  void add_missing(std::uint64_t rows = 1) { add(missing, rows); }

  /// Adds an item that is in memory and cannot disappear.
  void add_item(std::span<const std::byte> item) { add(code_of_item(item), 1); }
  void add(const key_result& found) { add(code_of(found), 1); }

  /// Adds rows that have the value of a code.
  void add(code value, std::uint64_t rows);

  /// Returns the code of a value, which is 0 for null.
  code code_of_item(std::span<const std::byte> item);
  code code_of(const key_result&);

  /// Adds rows without a value up to this number of rows.
  void extend(std::uint64_t rows) {
    if (rows > rows_) add_missing(rows - rows_);
  }

  /// Adds rows with the value of the last row up to this number of rows.
  void repeat_last(std::uint64_t rows) {
    if (rows > rows_) add(runs_.empty() ? missing : runs_.back().value, rows - rows_);
  }

  /// Appends the rows of a column that follows.
  void append(column_builder next);

  /// Removes all rows behind the first `rows`.
  void resize(std::uint64_t rows);

  /// Returns the number of different values for which there is a code.
  std::size_t value_count() const noexcept { return values_.empty() ? 0 : values_.size() - 1; }

  /// Returns the number of rows that have a value.
  std::uint64_t present() const noexcept;

  /// Returns the column, with its different values if they are wanted. The builder is empty afterwards.
  key_column finish(std::string key, bool with_values);

 private:
  enum class value_kind : std::uint8_t { missing, boolean, integer, large_integer, floating, text, printed };
  static constexpr std::size_t kind_count = 7;
  static constexpr code missing = 0;

  /// A value. `bits`: the number, or the bits of a double. `text`: of text, and of other values as they are printed.
  struct value {
    value_kind kind = value_kind::missing;
    cbor_kind type = cbor_kind::null;
    code next = missing;  ///< the value that followed this one when it was met last
    std::uint64_t bits = 0;
    std::string own_text{};                 ///< the text, if there are few values
    const std::string* in_codes = nullptr;  ///< otherwise the key in `codes_`, which does not move

    std::string_view text() const noexcept {
      return in_codes == nullptr ? std::string_view(own_text) : std::string_view(*in_codes).substr(2);
    }
  };
  struct run {
    std::uint32_t rows = 0;
    code value = missing;
  };

  code code_of_number(value_kind kind, cbor_kind type, std::uint64_t bits);
  code code_of_text(value_kind kind, cbor_kind type, std::string_view text);
  code code_of_view(const cbor_view&);
  template <class IsEqual>
  bool is_expected(IsEqual&&);
  code find_or_add(value_kind kind, cbor_kind type, std::uint64_t bits, std::string_view text);
  code find(value_kind kind, cbor_kind type, std::uint64_t bits, std::string_view text);
  const std::string& map_key(value_kind kind, cbor_kind type, std::uint64_t bits, std::string_view text);

  void number_in_order();
  column_type type() const noexcept;
  void fill(key_column&);
  void fill_texts(key_column&);
  void fill_values(key_column&);
  void print(const value&);
  distinct_value distinct(const value&) const;
  template <class T, class ValueOf>
  void expand(std::vector<T>& out, ValueOf&&) const;

  std::vector<run> runs_{};
  std::uint64_t rows_ = 0;
  std::vector<value> values_{};   ///< by code; empty if there are none
  core::text_map<code> codes_{};  ///< by kind, and bits or text; empty if there are few
  code last_ = missing;
  std::string buffer_{};
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
