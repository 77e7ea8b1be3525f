// SPDX-License-Identifier: Apache-2.0
#include "index/describe_index.hpp"

#include <algorithm>

#include "index/index_input.hpp"

namespace tgmap {
inline namespace v0 {

void detail::add_column_part(std::vector<index_column>& to, const named_column& from) {
  using index_file::column_kind;
  const auto& record = from.record;
  if (record.kind != column_kind::messages && record.kind != column_kind::objects) return;
  const auto known = std::ranges::find(to, from.name, &index_column::key);
  index_column& out = known == to.end() ? to.emplace_back(index_column{.key = from.name}) : *known;
  out.bytes += record.bytes;
  out.values = std::max(out.values, record.values);
  if (record.kind == column_kind::objects)
    out.describes_objects = true;
  else
    out.messages += record.present;
}

index_summary describe_index(const std::filesystem::path& path, failure& why) {
  why = {};
  const auto index = detail::open_index_file(path, why);
  if (why) return {};
  const index_file::trailer& facts = index->facts();
  index_summary out{.covered_bytes = facts.covered,
                    .messages = facts.messages,
                    .objects = facts.objects,
                    .layouts = facts.layouts,
                    .gaps = facts.gaps,
                    .index_bytes = index->bytes().size(),
                    .structure = facts.structure};
  for (const detail::named_column& each : detail::read_columns(*index, why)) detail::add_column_part(out.columns, each);
  if (why) return {};
  return out;
}

index_summary describe_index(const std::filesystem::path& path) {
  return detail::or_throw([&](failure& why) { return describe_index(path, why); });
}

}  // namespace v0
}  // namespace tgmap
