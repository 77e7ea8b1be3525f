// SPDX-License-Identifier: Apache-2.0
#include "index/column.hpp"

#include <algorithm>
#include <limits>

namespace tgmap {
inline namespace v0 {
namespace detail {

using index_file::row_list_reader;

namespace {

/// Calls `each` with the runs of a list that was packed here.
template <class F>
void for_each_run(row_list& list, F&& each) {
  row_list_reader runs(list.finish(), std::numeric_limits<std::uint64_t>::max() / 2);
  for (row_run run; runs.next(run);) each(run);
}

/// Returns the objects of messages, as far as their numbers are known.
row_run objects_of(row_run messages, const object_numbers& numbers) {
  const auto number = [&](std::uint64_t message) {
    return numbers[static_cast<std::size_t>(std::min<std::uint64_t>(message, numbers.size() - 1))];
  };
  return {number(messages.begin), number(messages.end)};
}

}  // namespace

column::code column::find_or_add(std::string_view item) {
  if (const auto known = codes_.find(item); known != codes_.end()) return known->second;
  const auto [added, is_new] = codes_.try_emplace(std::string(item), static_cast<code>(values_.size()));
  values_.push_back({.item = added->first});
  return added->second;
}

std::uint64_t column::known_count() const noexcept {
  std::uint64_t sum = 0;
  for (const value& each : values_) sum += each.messages.count();
  return sum - unknown_count();
}

void column::describe_objects(const object_numbers& numbers) {
  if (describes_objects_) return;
  describes_objects_ = true;
  for (value& each : values_) {
    row_list messages = each.messages;  // finish() ends a list
    for_each_run(messages, [&](row_run rows) {
      const row_run objects = objects_of(rows, numbers);
      if (objects.count() > 0) each.objects.add(objects);
    });
  }
}

void column::append(column& next, const object_numbers& objects, const object_numbers& its_objects) {
  add_kinds(next.kinds_);
  if (next.describes_objects_) describe_objects(objects);
  if (describes_objects_) next.describe_objects(its_objects);
  const std::uint64_t first_message = objects.size() - 1, first_object = objects.back();
  for (value& each : next.values_) {
    const code to = each.item.empty() ? unknown : code_of(each.item);
    for_each_run(each.messages, [&](row_run rows) {
      add_messages(to, {first_message + rows.begin, first_message + rows.end});
    });
    for_each_run(each.objects, [&](row_run rows) {
      add_objects(to, {first_object + rows.begin, first_object + rows.end});
    });
  }
}

failure column::load(const index_file::reader& from, const named_column& part, const object_numbers& numbers) {
  const bool of_objects = part.record.kind == index_file::column_kind::objects;
  if (of_objects && !describes_objects_) {
    // Parts of the file before this one have no objects of their own.
    const auto first = std::ranges::lower_bound(numbers, part.record.first_row);
    describe_objects({numbers.begin(), first + 1});
  }
  return read_column(from, part, [&](std::span<const std::byte> item, row_run rows) {
    const code to = item.empty() ? unknown : code_of({reinterpret_cast<const char*>(item.data()), item.size()});
    of_objects ? add_objects(to, rows) : add_messages(to, rows);
  });
}

bool column::same_rows(row_list& a, row_list& b) { return std::ranges::equal(a.finish(), b.finish()); }

bool column::equals(column& other, const object_numbers& numbers) {
  if (describes_objects_) other.describe_objects(numbers);
  if (other.describes_objects_) describe_objects(numbers);
  std::size_t values = 0, other_values = 0;
  for (const value& each : other.values_) other_values += each.messages.count() + each.objects.count() != 0;
  for (value& each : values_) {
    if (each.messages.count() + each.objects.count() == 0) continue;
    ++values;
    code in_other = unknown;
    if (!each.item.empty()) {
      const auto found = other.codes_.find(each.item);
      if (found == other.codes_.end()) return false;
      in_other = found->second;
    }
    value& same = other.values_[in_other];
    if (!same_rows(each.messages, same.messages) || !same_rows(each.objects, same.objects)) return false;
  }
  return values == other_values;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
