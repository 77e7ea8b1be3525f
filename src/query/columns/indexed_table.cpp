// SPDX-License-Identifier: Apache-2.0
#include "query/columns/indexed_table.hpp"

#include <vector>

#include "query/columns/column_builder.hpp"
#include "query/columns/key_values.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

/// Appends the rows of a table, and their numbers in the columns.
std::vector<std::uint64_t> list_rows(const key_values& from, bool of_objects, const indexed_selection& known,
                                     key_columns& out) {
  std::vector<std::uint64_t> rows;
  for (std::uint64_t i = known.next(0); i < from.messages(); i = known.next(static_cast<std::size_t>(i) + 1)) {
    if (!of_objects) {
      rows.push_back(i);
      out.messages.push_back(i);
      continue;
    }
    const index_file::row_run objects = from.objects_of(i);
    for (std::uint64_t row = objects.begin; row < objects.end; ++row) {
      const std::uint64_t j = row - objects.begin;
      if (known.answer(static_cast<std::size_t>(i), static_cast<std::size_t>(j)) == index_answer::no) continue;
      rows.push_back(row);
      out.messages.push_back(i);
      out.objects.push_back(j);
    }
  }
  return rows;
}

}  // namespace

bool read_indexed_table(const archive& in, std::span<const metadata_key> keys, const key_columns_options& options,
                        const indexed_selection& known, key_columns& out, failure& why) {
  const auto rows_of = options.of_objects ? key_values::rows::objects : key_values::rows::messages;
  const auto values = key_values::of_selected(in, keys, rows_of, options.where, known, why);
  if (!values) return false;
  const auto rows = list_rows(*values, options.of_objects, known, out);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    column_builder column;
    for (const std::uint64_t row : rows) {
      const auto item = values->item(k, row);
      item.empty() ? column.add_missing() : column.add_item(item);
    }
    out.columns.push_back(column.finish(keys[k].text()));
  }
  return true;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
