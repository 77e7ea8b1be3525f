// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tgmap/tools/index.hpp>

#include "archive/access.hpp"
#include "index/open_index_calls.hpp"
#include "index/read_column.hpp"

namespace tgmap {
inline namespace v0 {

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
                    .structure = facts.structure,
                    .made_by = {facts.made_by.begin(), std::ranges::find(facts.made_by, '\0')},
                    .made_at = facts.made_at};
  out.columns = detail::summary_of(detail::read_columns(*index, why));
  return why ? index_summary() : out;
}

index_summary describe_index(const std::filesystem::path& path) {
  return detail::or_throw([&](failure& why) { return describe_index(path, why); });
}

}  // namespace v0
}  // namespace tgmap
