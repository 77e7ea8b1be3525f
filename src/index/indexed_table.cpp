// SPDX-License-Identifier: Apache-2.0
#include "index/indexed_table.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "index/column_builder.hpp"
#include "index/column_values.hpp"
#include "index/key_walker.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

/// Returns the current index of an archive if it lists all messages; otherwise null.
std::shared_ptr<const index_file::reader> whole_index(const archive& of) {
  const archive_state* const state = access::state(of);
  if (state == nullptr || !state->scan().listed()) return nullptr;
  const index_status status = of.index_status();
  failure why;
  const auto& index = state->scan().listed().index();
  const bool is_whole = status.is_used && status.is_current && index->facts().messages == of.size(why) && !why;
  return is_whole ? index : nullptr;
}

/// Appends the rows of a table, and their numbers in the columns.
std::vector<std::uint64_t> list_rows(const index_values& from, std::uint64_t messages, bool of_objects,
                                     const indexed_selection& known, key_columns& out) {
  std::vector<std::uint64_t> rows;
  for (std::uint64_t i = known.next(0); i < messages; i = known.next(static_cast<std::size_t>(i) + 1)) {
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
  const auto index = whole_index(in);
  const bool can_be_told = std::ranges::all_of(keys, [](const auto& key) { return key_walker::accepts(key.text()); });
  if (!index || keys.empty() || !can_be_told || known.count(index_answer::unknown) != 0) return false;
  index->bytes().expect_many();
  const index_values from(*index, why);
  if (why || (options.of_objects && !from.lists_objects())) return false;
  std::vector<column_values> values;
  for (const metadata_key& key : keys) {
    // The row of a selected message has the value of an object that matches.
    const bool selects_object = !options.of_objects && !options.where.selects_all();
    if (selects_object && from.has_objects_that_differ(key.text())) return false;
    values.push_back(options.of_objects ? from.of_objects(key.text(), why) : from.of_messages(key.text(), why));
    if (why || !values.back().is_complete()) return false;
  }
  const auto rows = list_rows(from, index->facts().messages, options.of_objects, known, out);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    column_builder column;
    for (const std::uint64_t row : rows) {
      const auto item = values[k].item(row);
      item.empty() ? column.add_missing() : column.add_item(item);
    }
    out.columns.push_back(column.finish(keys[k].text()));
  }
  return true;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
