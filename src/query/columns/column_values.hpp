// SPDX-License-Identifier: Apache-2.0
// The values of metadata keys in all messages and objects of an index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tgmap/error.hpp>
#include <utility>
#include <vector>

#include "index/read_column.hpp"
#include "index_file/reader.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A `column_values` has the item of one key in each row. Throws std::bad_alloc.
class column_values {
 public:
  explicit column_values(std::uint64_t rows) : codes_(static_cast<std::size_t>(rows), unknown) {}

  /// Returns false if the index does not tell the value in some row.
  bool is_complete() const noexcept;

  /// Returns the CBOR item in a row; empty if the key is absent there.
  std::span<const std::byte> item(std::uint64_t row) const noexcept { return items_[codes_[row]]; }

 private:
  friend class index_values;
  static constexpr std::uint32_t absent = 0, unknown = 1;

  void set(index_file::row_run rows, std::uint32_t code) noexcept;
  std::uint32_t add_item(std::span<const std::byte>);

  std::vector<std::uint32_t> codes_;
  std::vector<std::vector<std::byte>> items_ = std::vector<std::vector<std::byte>>(2);  ///< by code
};

/// An `index_values` reads the columns of an index.
class index_values {
 public:
  /// Reads where the objects of each message are. Errors: index_damaged, file_shrank, of the operating system. Throws
  /// std::bad_alloc.
  index_values(const index_file::reader&, failure&);

  /// Returns true if the objects of all messages but those of version 1 are listed.
  bool lists_objects() const noexcept { return lists_objects_; }

  /// Returns true if objects of one message may have different values of a key.
  bool has_objects_that_differ(std::string_view key) const noexcept;

  /// Returns the numbers of the objects of a message.
  index_file::row_run objects_of(std::uint64_t message) const noexcept {
    return {first_objects_[message], first_objects_[message + 1]};
  }

  /// Returns the values of a key in all messages, or in all objects. Errors: as the constructor.
  column_values of_messages(std::string_view key, failure&) const;
  column_values of_objects(std::string_view key, failure&) const;

 private:
  template <class RowsOf>
  failure read(const named_column&, column_values& to, RowsOf&&) const;
  failure forget(index_file::column_kind, column_values& of) const;
  index_file::row_run objects_of(index_file::row_run messages) const noexcept {
    return {first_objects_[messages.begin], first_objects_[messages.end]};
  }

  const index_file::reader& index_;
  std::vector<named_column> columns_;
  std::vector<std::uint64_t> first_objects_{};  ///< of each message, and their number
  bool lists_objects_ = true;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
