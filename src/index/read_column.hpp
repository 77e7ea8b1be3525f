// SPDX-License-Identifier: Apache-2.0
// Reads the columns of an index file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/error.hpp>
#include <tgmap/tools/index.hpp>
#include <vector>

#include "index_file/reader.hpp"
#include "index_file/row_list.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Longest name of a column.
inline constexpr std::size_t max_column_name = 250;

/// A column of an index file with its name.
struct named_column {
  std::string name{};
  index_file::listed_column record{};
  std::uint64_t counted_values = 0;  ///< different values of a key without a column, which are in none
  std::uint64_t max_bytes = 0;  ///< that reading it may take; of all columns together at most twice those of the file
};

/// Returns all columns of known kinds, in the order of the file. Their rows are within the messages or objects of the
/// index, and those of a key follow each other. Errors: index_damaged, file_shrank, of the operating system. Throws
/// std::bad_alloc.
std::vector<named_column> read_columns(const index_file::reader&, failure&);

/// Receives the CBOR item of a value, and rows that have it, by their number in the archive. The item is empty for rows
/// whose value is not in the column.
using value_receiver = std::function<void(std::span<const std::byte> item, index_file::row_run)>;

/// Chooses values by their item.
using value_filter = std::function<bool(std::span<const std::byte> item)>;

/// Reads the rows of the values of a column that the filter chooses; of all without a filter. The rows whose value is
/// not in the column come first. Errors: as read_columns.
failure read_column(const index_file::reader&, const named_column&, const value_receiver&, const value_filter& = {});

/// Describes columns, in the order of their first parts. Throws std::bad_alloc.
std::vector<index_column> summary_of(const std::vector<named_column>&);

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
