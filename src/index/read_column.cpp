// SPDX-License-Identifier: Apache-2.0
#include "index/read_column.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace tgmap {
inline namespace v0 {
namespace detail {

using index_file::column_kind;
using index_file::listed_column;
using index_file::listed_value;
using index_file::row_list_reader;
using index_file::row_run;
using index_file::section;
using index_file::text_place;

namespace {

bool is_of_objects(column_kind kind) noexcept {
  return kind == column_kind::objects || kind == column_kind::undescribed_objects;
}

bool is_known(column_kind kind) noexcept { return kind >= column_kind::messages && kind <= column_kind::other_keys; }

/// Reads one column. Bytes and rows of all its values together are bounded, whatever the places in the file say: each
/// row has one value.
class column_reader {
 public:
  column_reader(const index_file::reader& from, const named_column& column, const value_receiver& take)
      : from_(from),
        record_(column.record),
        take_(take),
        bytes_left_(column.max_bytes),
        rows_left_(column.record.rows) {}

  failure read_rows(const text_place& place, std::span<const std::byte> item) {
    if (failure why = copy(place, rows_)) return why;
    row_list_reader runs(rows_, record_.rows);
    for (row_run run; runs.next(run);) {
      if (run.count() > rows_left_) return from_.disagreement();
      rows_left_ -= run.count();
      take_(item, {record_.first_row + run.begin, record_.first_row + run.end});
    }
    return runs.is_damaged() ? from_.disagreement() : failure{};
  }

  failure copy(const text_place& place, std::vector<std::byte>& out) {
    if (place.size > bytes_left_) return from_.disagreement();
    bytes_left_ -= place.size;
    return from_.read_column_items(place, out);
  }

 private:
  const index_file::reader& from_;
  const listed_column& record_;
  const value_receiver& take_;
  std::uint64_t bytes_left_, rows_left_;
  std::vector<std::byte> rows_{};
};

}  // namespace

std::vector<named_column> read_columns(const index_file::reader& from, failure& why) {
  why = {};
  std::vector<named_column> out;
  std::map<std::pair<std::string, column_kind>, std::uint64_t> ends;
  std::vector<std::byte> name;
  std::uint64_t bytes_left = from.records(section::column_items);
  for (std::uint64_t i = 0; i < from.records(section::columns); ++i) {
    named_column each;
    why = from.read(i, each.record);
    if (!why && !is_known(each.record.kind)) continue;  // of a later release
    if (!why && (each.record.name.size > max_column_name || each.record.bytes > bytes_left)) why = from.disagreement();
    if (!why) why = from.read_column_items(each.record.name, name);
    if (why) return {};
    if (each.record.kind == column_kind::other_keys) each.counted_values = std::exchange(each.record.values, 0);
    each.name.assign(reinterpret_cast<const char*>(name.data()), name.size());
    const auto& facts = from.facts();
    const std::uint64_t all_rows = is_of_objects(each.record.kind) ? facts.objects : facts.messages;
    std::uint64_t& end = ends[{each.name, each.record.kind}];
    if (each.record.first_row < end || !wire::fits(each.record.first_row, each.record.rows, all_rows)) {
      why = from.disagreement();
      return {};
    }
    end = each.record.first_row + each.record.rows;
    bytes_left -= each.record.bytes;
    // A column of objects has the same items as that of messages before it. Without that one it says nothing.
    const bool has_own_objects = each.record.kind == column_kind::objects;
    if (has_own_objects &&
        (out.empty() || out.back().name != each.name || out.back().record.kind != column_kind::messages))
      continue;
    each.max_bytes = each.record.bytes + (has_own_objects ? out.back().record.bytes : 0);
    out.push_back(std::move(each));
  }
  return out;
}

failure read_column(const index_file::reader& from, const named_column& of, const value_receiver& take,
                    const value_filter& wanted) {
  column_reader column(from, of, take);
  const listed_column& record = of.record;
  if (failure why = column.read_rows(record.unknown, {})) return why;
  const std::uint64_t items = from.records(section::column_items);
  if (record.values > items / listed_value::size ||
      !wire::fits(record.values_at, record.values * listed_value::size, items))
    return from.disagreement();
  std::vector<std::byte> item, places;
  constexpr std::uint64_t at_once = 1024;
  for (std::uint64_t i = 0; i < record.values; i += at_once) {
    const std::uint64_t count = std::min(at_once, record.values - i);
    const text_place of_values{record.values_at + i * listed_value::size, count * listed_value::size};
    if (failure why = column.copy(of_values, places)) return why;
    for (std::size_t k = 0; k < count; ++k) {
      const auto value = listed_value::load(std::span(places).subspan(k * listed_value::size, listed_value::size));
      if (value.item.size == 0) return from.disagreement();
      if (failure why = column.copy(value.item, item)) return why;
      if (wanted && !wanted(item)) continue;
      if (failure why = column.read_rows(value.rows, item)) return why;
    }
  }
  return {};
}

std::vector<index_column> summary_of(const std::vector<named_column>& columns) {
  std::vector<index_column> out;
  std::map<std::string_view, std::size_t> numbers;  // in `out`, by key
  for (const named_column& part : columns) {
    const auto& record = part.record;
    if (record.kind != column_kind::messages && record.kind != column_kind::objects) continue;
    const auto [known, is_new] = numbers.try_emplace(part.name, out.size());
    index_column& to = is_new ? out.emplace_back(index_column{.key = part.name}) : out[known->second];
    to.bytes += record.bytes;
    to.values = std::max(to.values, record.values);
    if (record.kind == column_kind::objects)
      to.describes_objects = true;
    else
      to.messages += record.present;
  }
  return out;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
