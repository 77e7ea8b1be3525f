// SPDX-License-Identifier: Apache-2.0
#include "query/columns/column_values.hpp"

#include <algorithm>

#include "core/seeded_hash.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

using index_file::column_kind;
using index_file::listed_message;
using index_file::row_run;

bool column_values::is_complete() const noexcept { return std::ranges::find(codes_, unknown) == codes_.end(); }

void column_values::set(row_run rows, std::uint32_t code) noexcept {
  const std::uint64_t end = std::min<std::uint64_t>(rows.end, codes_.size());
  for (std::uint64_t row = rows.begin; row < end; ++row) codes_[static_cast<std::size_t>(row)] = code;
}

std::uint32_t column_values::add_item(std::span<const std::byte> item) {
  if (item.empty()) return unknown;
  const auto last = static_cast<std::uint32_t>(code_count() - 1);
  if (std::ranges::equal(item_of(last), item)) return last;  // one after another
  items_.insert(items_.end(), item.begin(), item.end());
  begins_.push_back(items_.size());
  return last + 1;
}

index_values::index_values(const index_file::reader& index, failure& why)
    : index_(index), columns_(read_columns(index, why)) {
  const std::uint64_t messages = index.facts().messages, objects = index.facts().objects;
  if (!why && objects > index.records(index_file::section::objects)) why = index.disagreement();
  if (why) return;
  first_objects_.reserve(static_cast<std::size_t>(messages) + 1);
  std::uint64_t next = 0;
  std::vector<listed_message> records;
  for (std::uint64_t i = 0; i < messages && !why; ++i) {
    constexpr std::uint64_t at_once = 1024;
    if (i % at_once == 0) {
      records.resize(static_cast<std::size_t>(std::min(at_once, messages - i)));
      why = index.read(i, std::span(records));
    }
    const listed_message& record = records[static_cast<std::size_t>(i % at_once)];
    if (!why && (record.first_object != next || record.objects > objects - next)) why = index.disagreement();
    first_objects_.push_back(next);
    next += record.objects;
    if (record.has_unlisted_objects && record.version != 1) unlisted_.push_back(i);
    has_several_objects_ = has_several_objects_ || record.objects > 1 || record.has_unlisted_objects;
  }
  first_objects_.push_back(next);
  lists_objects_ = unlisted_.empty();
  std::uint64_t listed = 0;
  for (const named_column& each : columns_)
    if (each.record.kind == column_kind::other_keys && each.name.empty()) listed += each.record.rows;
  lists_all_keys_ = listed == messages;
}

std::vector<index_values::listed_key> index_values::keys() const {
  std::vector<listed_key> out;
  core::text_map<std::size_t, std::string_view> numbers;
  for (const named_column& each : columns_) {
    const bool has_column = each.record.kind == column_kind::messages;
    if (each.name.empty() || (!has_column && each.record.kind != column_kind::other_keys)) continue;
    const auto [at, is_new] = numbers.try_emplace(each.name, out.size());
    if (is_new) out.push_back({.name = each.name});
    listed_key& key = out[at->second];
    key.has_column = key.has_column || has_column;
    key.present += each.record.present;
    key.kinds = static_cast<std::uint16_t>(key.kinds | each.record.kinds);
    key.counted_values = std::max(key.counted_values, each.counted_values);
    key.has_more_values = key.has_more_values || key.parts > 0 || each.record.has_more_values;
    key.parts += !has_column;
  }
  return out;
}

std::vector<row_run> index_values::undescribed_messages(failure& why) const {
  why = {};
  std::vector<row_run> out;
  for (const named_column& each : columns_)
    if (each.record.kind == column_kind::undescribed_messages && !why)
      why = read_column(index_, each, [&](auto, row_run rows) { out.push_back(rows); });
  return out;
}

/// Reads the values of a column. `rows_of` gives the rows of the values.
template <class RowsOf>
failure index_values::read(const named_column& column, column_values& to, RowsOf&& rows_of) const {
  const auto& record = column.record;
  to.set(rows_of(row_run{record.first_row, record.first_row + record.rows}), column_values::absent);
  return read_column(index_, column,
                     [&](std::span<const std::byte> item, row_run rows) { to.set(rows_of(rows), to.add_item(item)); });
}

/// Sets the rows of messages whose keys without a column are all listed to absent, and those of them that have the key
/// to unknown.
template <class RowsOf>
failure index_values::set_absent(std::string_view key, column_values& to, RowsOf&& rows_of) const {
  failure why;
  for (const named_column& each : columns_)
    if (each.record.kind == column_kind::other_keys && each.name.empty())
      to.set(rows_of(row_run{each.record.first_row, each.record.first_row + each.record.rows}), column_values::absent);
  for (const named_column& each : columns_)
    if (each.record.kind == column_kind::other_keys && each.name == key && !why)
      why = read_column(index_, each, [&](auto, row_run rows) { to.set(rows_of(rows), column_values::unknown); });
  return why;
}

/// Sets the rows that no column describes to unknown.
failure index_values::forget(column_kind kind, column_values& of) const {
  failure why;
  for (const named_column& each : columns_)
    if (each.record.kind == kind && !why)
      why = read_column(index_, each, [&](auto, row_run rows) { of.set(rows, column_values::unknown); });
  return why;
}

bool index_values::has_objects_that_differ(std::string_view key) const noexcept {
  return std::ranges::any_of(
      columns_, [&](const named_column& each) { return each.name == key && each.record.kind == column_kind::objects; });
}

column_values index_values::of_messages(std::string_view key, failure& why) const {
  column_values out(index_.facts().messages);
  why = set_absent(key, out, [](row_run rows) { return rows; });
  for (const named_column& each : columns_)
    if (each.name == key && each.record.kind == column_kind::messages && !why)
      why = read(each, out, [](row_run rows) { return rows; });
  if (!why) why = forget(column_kind::undescribed_messages, out);
  return out;
}

column_values index_values::of_objects(std::string_view key, failure& why) const {
  column_values out(index_.facts().objects);
  why = set_absent(key, out, [&](row_run rows) { return objects_of(rows); });
  std::uint64_t own_from = UINT64_MAX;  // the first object that has a value of its own
  for (const named_column& each : columns_)
    if (each.name == key && each.record.kind == column_kind::objects)
      own_from = std::min(own_from, each.record.first_row);
  for (const named_column& each : columns_) {
    if (each.name != key || why) continue;
    if (each.record.kind == column_kind::messages)
      why = read(each, out, [&](row_run rows) {
        const row_run objects = objects_of(rows);
        return row_run{std::min(objects.begin, own_from), std::min(objects.end, own_from)};
      });
    else if (each.record.kind == column_kind::objects)
      why = read(each, out, [](row_run rows) { return rows; });
  }
  if (!why) why = forget(column_kind::undescribed_objects, out);
  return out;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
