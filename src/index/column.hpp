// SPDX-License-Identifier: Apache-2.0
// The values of one metadata key, and the messages and objects that have them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/error.hpp>
#include <utility>
#include <vector>

#include "core/seeded_hash.hpp"
#include "index/read_column.hpp"
#include "index_file/reader.hpp"
#include "index_file/row_list.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

using index_file::row_list;
using index_file::row_run;

/// The first object of each message, and the number of all objects at the end.
using object_numbers = std::vector<std::uint64_t>;

/// A `column` collects the values of a key, message by message and object by object. All members may throw
/// std::bad_alloc.
///
/// Objects are listed apart only once those of one message have different values. Before, all objects of a message
/// have its value.
class column {
 public:
  column() = default;
  column(column&&) noexcept = default;
  column& operator=(column&&) noexcept = default;

  using code = std::uint32_t;
  static constexpr code unknown = 0;  ///< the value is not in the column

  /// Returns the code of a value, by its encoded bytes. A new value gets the next code.
  code code_of(std::string_view item) {
    if (last_ != unknown && values_[last_].item == item) return last_;
    return last_ = find_or_add(item);
  }

  void add_messages(code value, row_run rows) { values_[value].messages.add(rows); }
  void add_objects(code value, row_run rows) { values_[value].objects.add(rows); }

  bool describes_objects() const noexcept { return describes_objects_; }

  /// Begins to list objects: those of all messages so far have the values of their messages.
  void describe_objects(const object_numbers&);

  /// Appends a column of the messages that follow. `objects` are those of all messages before it, `its_objects` those
  /// of its own.
  void append(column& next, const object_numbers& objects, const object_numbers& its_objects);

  /// Adds kinds of values, a bit for each `cbor_kind`, also of values that are not in the column.
  void add_kinds(std::uint16_t kinds) noexcept { kinds_ = static_cast<std::uint16_t>(kinds_ | kinds); }
  std::uint16_t kinds() const noexcept { return kinds_; }

  /// Removes all values and rows, but not the kinds.
  void clear() {
    column empty;
    empty.kinds_ = kinds_;
    *this = std::move(empty);
  }

  std::size_t value_count() const noexcept { return values_.size() - 1; }
  std::uint64_t known_count() const noexcept;  ///< messages with a known value
  std::uint64_t unknown_count() const noexcept { return values_[unknown].messages.count(); }

  /// A value, and the rows that have it. Of `unknown` the item is empty.
  struct value {
    std::string_view item{};
    row_list messages{}, objects{};
  };
  std::vector<value>& values() noexcept { return values_; }  ///< by code
  const std::vector<value>& values() const noexcept { return values_; }

  /// Adds what an index lists. Errors: index_damaged, file_shrank, of the operating system.
  failure load(const index_file::reader&, const named_column&, const object_numbers&);

  /// Checks that both have the same values in the same rows.
  bool equals(column& other, const object_numbers&);

 private:
  code find_or_add(std::string_view item);
  static bool same_rows(row_list& a, row_list& b);

  std::vector<value> values_ = std::vector<value>(1);
  core::text_map<code> codes_{};
  code last_ = unknown;
  bool describes_objects_ = false;
  std::uint16_t kinds_ = 0;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
