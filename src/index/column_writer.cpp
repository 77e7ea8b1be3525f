// SPDX-License-Identifier: Apache-2.0
#include "index/column_writer.hpp"

#include <array>

namespace tgmap {
inline namespace v0 {
namespace detail {

using index_file::column_kind;
using index_file::listed_column;
using index_file::listed_value;
using index_file::text_place;

namespace {

/// Writes the row lists of one kind, and their record. `items` are the places of the values.
failure write_lists(index_file::writer& to, column& from, listed_column record, std::span<const text_place> items,
                    row_list column::value::*lists) {
  std::vector<std::byte> places;
  for (std::size_t code = 0; code < from.values().size(); ++code) {
    row_list& rows = from.values()[code].*lists;
    record.present += rows.count();
    listed_value value{.item = items[code]};
    const auto bytes = rows.finish();
    if (failure why = to.add_column_items(bytes, code == column::unknown ? record.unknown : value.rows)) return why;
    record.bytes += bytes.size();
    if (code == column::unknown || rows.count() == 0) continue;
    places.resize(places.size() + listed_value::size);
    value.store(places.data() + places.size() - listed_value::size);
    ++record.values;
  }
  text_place at;
  if (failure why = to.add_column_items(places, at)) return why;
  record.values_at = at.offset;
  record.bytes += places.size();
  return to.add(record);
}

}  // namespace

failure write_column(index_file::writer& to, std::string_view key, column& from, const column_rows& rows,
                     std::uint64_t& bytes) {
  listed_column record;
  const std::uint64_t before = to.column_bytes();
  if (failure why = to.add_column_items(std::as_bytes(std::span(key)), record.name)) return why;
  std::vector<text_place> items(from.values().size());
  for (std::size_t code = 1; code < items.size(); ++code)
    if (failure why = to.add_column_items(std::as_bytes(std::span(from.values()[code].item)), items[code])) return why;
  record.bytes = to.column_bytes() - before;
  record.kind = column_kind::messages;
  record.first_row = rows.messages.begin;
  record.rows = rows.messages.count();
  failure why = write_lists(to, from, record, items, &column::value::messages);
  if (!why && from.describes_objects()) {
    record.kind = column_kind::objects;
    record.bytes = 0;
    record.first_row = rows.objects.begin;
    record.rows = rows.objects.count();
    why = write_lists(to, from, record, items, &column::value::objects);
  }
  bytes = to.column_bytes() - before;
  return why;
}

failure write_rows(index_file::writer& to, column_kind kind, row_list& list, row_run rows) {
  if (list.count() == 0) return {};
  listed_column record{.first_row = rows.begin, .rows = rows.count(), .present = list.count(), .kind = kind};
  const auto bytes = list.finish();
  record.bytes = bytes.size();
  if (failure why = to.add_column_items(bytes, record.unknown)) return why;
  return to.add(record);
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
