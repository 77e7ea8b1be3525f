// SPDX-License-Identifier: Apache-2.0
// The values of metadata keys in all messages and objects of an index.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/cbor_view.hpp>
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

  static constexpr std::uint32_t absent = 0, unknown = 1;

  /// Returns the number of the value in a row, or one of those above.
  std::uint32_t code(std::uint64_t row) const noexcept { return codes_[row]; }

  /// Returns the number of numbers of values.
  std::size_t code_count() const noexcept { return begins_.size() - 1; }

  /// Returns the CBOR item of a value, or that in a row; empty if the key is absent there.
  std::span<const std::byte> item_of(std::uint32_t code) const noexcept {
    return std::span(items_).subspan(begins_[code], begins_[code + 1] - begins_[code]);
  }
  std::span<const std::byte> item(std::uint64_t row) const noexcept { return item_of(codes_[row]); }

  void set(index_file::row_run rows, std::uint32_t code) noexcept;
  std::uint32_t add_item(std::span<const std::byte>);

 private:
  std::vector<std::uint32_t> codes_;
  std::vector<std::byte> items_{};               ///< one after another
  std::vector<std::size_t> begins_ = {0, 0, 0};  ///< of the items by code, and their end
};

/// An `index_values` reads the columns of an index.
class index_values {
 public:
  /// Reads where the objects of each message are. Errors: index_damaged, file_shrank, of the operating system. Throws
  /// std::bad_alloc.
  index_values(const index_file::reader&, failure&);

  /// Returns true if the objects of all messages but those of version 1 are listed.
  bool lists_objects() const noexcept { return lists_objects_; }

  /// Returns true if the objects of a message are listed, or it is of version 1.
  bool lists_objects_of(std::uint64_t message) const noexcept {
    return lists_objects_ || !std::ranges::binary_search(unlisted_, message);
  }

  /// Returns true if objects of one message may have different values of a key.
  bool has_objects_that_differ(std::string_view key) const noexcept;

  /// Returns the numbers of the objects of a message.
  index_file::row_run objects_of(std::uint64_t message) const noexcept {
    return {first_objects_[message], first_objects_[message + 1]};
  }

  /// Returns true if a message has several objects.
  bool has_several_objects() const noexcept { return has_several_objects_; }

  /// Returns the numbers of messages and objects.
  std::uint64_t messages() const noexcept { return first_objects_.size() - 1; }
  std::uint64_t objects() const noexcept { return first_objects_.back(); }

  /// Returns true if each key of a message that it describes has a column, or is listed as one that has none.
  bool lists_all_keys() const noexcept { return lists_all_keys_; }

  /// A key of messages that the index describes.
  struct listed_key {
    std::string name{};
    bool has_column = false;
    std::uint64_t present = 0;                    ///< messages that have it
    std::uint16_t kinds = 0;                      ///< a bit for each `cbor_kind` of its values
    std::uint64_t parts = 0, counted_values = 0;  ///< without a column: parts of the index, different values in one
    bool has_more_values = false;                 ///< there may be more

    /// Returns whether some value is no map, which has keys of its own.
    bool has_values() const noexcept { return (kinds & ~(1u << static_cast<unsigned>(cbor_kind::map))) != 0; }
  };
  /// Returns the keys, each once, in the order of the file.
  std::vector<listed_key> keys() const;

  const std::vector<named_column>& columns() const noexcept { return columns_; }
  const index_file::reader& index() const noexcept { return index_; }

  /// Returns the messages about which no column says anything. Errors: as the constructor.
  std::vector<index_file::row_run> undescribed_messages(failure&) const;

  /// Returns the values of a key in all messages, or in all objects. Errors: as the constructor.
  column_values of_messages(std::string_view key, failure&) const;
  column_values of_objects(std::string_view key, failure&) const;

 private:
  template <class RowsOf>
  failure read(const named_column&, column_values& to, RowsOf&&) const;
  failure forget(index_file::column_kind, column_values& of) const;
  template <class RowsOf>
  failure set_absent(std::string_view key, column_values& to, RowsOf&&) const;
  index_file::row_run objects_of(index_file::row_run messages) const noexcept {
    return {first_objects_[messages.begin], first_objects_[messages.end]};
  }

  const index_file::reader& index_;
  std::vector<named_column> columns_;
  std::vector<std::uint64_t> first_objects_{};  ///< of each message, and their number
  std::vector<std::uint64_t> unlisted_{};       ///< messages whose objects are not listed
  bool lists_objects_ = true, has_several_objects_ = false, lists_all_keys_ = false;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
