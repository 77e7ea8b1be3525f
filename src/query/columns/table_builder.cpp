// SPDX-License-Identifier: Apache-2.0
#include "query/columns/table_builder.hpp"

#include <algorithm>
#include <utility>

#include "query/columns/key_plan.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

void table_builder::add(std::uint64_t archive, archive_rows added) {
  const std::uint64_t before = rows_.messages.size();
  for (std::size_t k = 0; k < columns_.size(); ++k) columns_[k].append(std::move(added.columns[k]));
  for (auto& [key, column] : added.others) {
    column_builder& to = other(key);
    to.extend(before);
    to.append(std::move(column));
  }
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  append(rows_.messages, added.messages);
  append(rows_.objects, added.objects);
  rows_.archives.resize(rows_.messages.size(), archive);
  for (const unread_message& each : added.unread) rows_.unread.push_back({each.index, each.cause, archive});
  for (std::string& each : added.omitted) omitted_.insert(std::move(each));
  rows_.omits_more = rows_.omits_more || added.omits_more;
}

column_builder& table_builder::other(std::string_view key) {
  const auto [at, is_new] = numbers_.try_emplace(std::string(key), others_.size());
  if (is_new) others_.emplace_back(key, column_builder());
  return others_[at->second].second;
}

/// Adds the columns of keys that nobody asked for, those of the most rows first, as many as are kept.
void table_builder::add_others(key_columns& out) {
  std::vector<std::pair<std::uint64_t, std::size_t>> found;  // rows that have a value, and number
  std::uint64_t values = 0;
  for (std::size_t i = 0; i < others_.size(); ++i)
    if (const std::uint64_t present = others_[i].second.present(); present > 0) {
      found.emplace_back(present, i);
      values += present;
    }
  std::ranges::sort(found, [&](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : others_[a.second].first < others_[b.second].first;
  });
  const std::uint64_t rows = rows_.messages.size();
  const std::size_t kept = kept_columns(found.size(), rows, values), asked = out.columns.size();
  for (std::size_t i = 0; i < found.size(); ++i) {
    auto& [key, column] = others_[found[i].second];
    column.extend(rows);
    if (i < kept)
      out.columns.push_back(column.finish(std::move(key), with_values_));
    else
      omitted_.insert(std::move(key));
  }
  std::sort(out.columns.begin() + static_cast<std::ptrdiff_t>(asked), out.columns.end(),
            [](const key_column& a, const key_column& b) { return a.key < b.key; });
}

key_columns table_builder::finish(bool names_archives) {
  key_columns out;
  for (std::size_t k = 0; k < columns_.size(); ++k)
    out.columns.push_back(columns_[k].finish(keys_[k].text(), with_values_));
  add_others(out);
  out.omitted.assign(omitted_.begin(), omitted_.end());
  std::ranges::sort(out.omitted);
  out.messages = std::move(rows_.messages);
  out.objects = std::move(rows_.objects);
  if (names_archives) out.archives = std::move(rows_.archives);
  out.unread = std::move(rows_.unread);
  out.omits_more = rows_.omits_more;
  *this = table_builder(std::move(keys_), with_values_);
  return out;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
