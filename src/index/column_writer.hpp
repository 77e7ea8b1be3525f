// SPDX-License-Identifier: Apache-2.0
// Writes columns to an index file.
#pragma once

#include <cstdint>
#include <string_view>
#include <tgmap/error.hpp>

#include "index/column.hpp"
#include "index_file/writer.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// The rows that a column describes.
struct column_rows {
  row_run messages{}, objects{};
};

/// Writes a column, and sets the bytes that it takes. Errors: those of the sink. Throws std::bad_alloc.
failure write_column(index_file::writer&, std::string_view key, column&, const column_rows&, std::uint64_t& bytes);

/// Writes a list of rows without values. Writes nothing for an empty one.
failure write_rows(index_file::writer&, index_file::column_kind, row_list&, row_run rows);

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
