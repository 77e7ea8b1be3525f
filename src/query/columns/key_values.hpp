// SPDX-License-Identifier: Apache-2.0
// The values of several keys in the index of an archive.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <tgmap/query/key_columns.hpp>
#include <utility>
#include <vector>

#include "index_file/reader.hpp"
#include "query/columns/column_values.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

class property_values;

/// A `key_values` has what a current index that lists all messages tells of keys. An indexed_keys shares one that tells
/// all.
class key_values {
 public:
  enum class rows : std::uint8_t { messages, objects };

  /// Reads which messages and objects there are. Returns null without such an index. Errors of all members:
  /// index_damaged, file_shrank, of the operating system. Throws std::bad_alloc.
  static std::shared_ptr<key_values> open(const archive&, rows, failure&);

  /// Reads the values of a key, which gets the next number.
  void add(const metadata_key&, failure&);

  /// Reads the values of keys. Returns null if the index does not tell all of them.
  static std::shared_ptr<const key_values> read(const archive&, std::span<const metadata_key>, rows, failure&);

  /// Does the same for what a selection matches, in rows of `known`, the answers for it. Returns null also if the index
  /// does not answer for all of them, or has other values for the objects that match.
  static std::shared_ptr<const key_values> of_selected(const archive&, std::span<const metadata_key>, rows,
                                                       const selection&, const indexed_selection& known, failure&);

  /// Returns the values for programs.
  static indexed_keys shared(std::shared_ptr<const key_values>) noexcept;

  std::uint64_t messages() const noexcept { return index_->facts().messages; }
  bool has_objects_that_differ() const noexcept { return has_objects_that_differ_; }
  index_file::row_run objects_of(std::uint64_t message) const noexcept { return from_.objects_of(message); }
  const index_values& values() const noexcept { return from_; }

  /// Returns whether a message has rows: its objects are listed, or rows are messages, or it is of version 1.
  bool lists_rows_of(std::uint64_t message) const noexcept {
    return kind_ == rows::messages || from_.lists_objects_of(message);
  }

  /// Returns whether the index tells anything of a key, whether it does so in each row that there is, and in one row.
  bool tells(std::size_t key) const noexcept { return keys_[key].values.has_value(); }
  bool is_complete(std::size_t key) const noexcept { return keys_[key].is_complete; }
  bool is_known(std::size_t key, std::uint64_t row) const noexcept {
    return tells(key) && column(key).code(row) != column_values::unknown;
  }

  /// Returns the values of a key of which the index tells something.
  const column_values& column(std::size_t key) const noexcept { return *keys_[key].values; }

  /// Returns the CBOR item of a key in a row: a message, or an object by its number among all. Empty if it is absent.
  std::span<const std::byte> item(std::size_t key, std::uint64_t row) const noexcept { return column(key).item(row); }

  key_values(key_values&&) = delete;
  ~key_values();

 private:
  key_values(std::shared_ptr<const index_file::reader> index, rows kind, failure& why);

  struct told_key {
    std::optional<column_values> values{};
    bool is_complete = false;
  };

  std::shared_ptr<const index_file::reader> index_;
  index_values from_;
  rows kind_;
  std::unique_ptr<property_values> properties_;
  std::vector<told_key> keys_{};
  bool has_objects_that_differ_ = false;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
