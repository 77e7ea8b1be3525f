// SPDX-License-Identifier: Apache-2.0
#include "collection/archive_rows.hpp"

#include <tgmap/query/key_columns.hpp>
#include <vector>

namespace tgmap::archives {

namespace {

/// Returns the values of all keys in the index; none if a message must be read.
indexed_keys find_indexed(const selector& chosen, const archive& from, std::span<const metadata_key> keys,
                          const indexed_selection& known, bool of_objects) {
  const bool selects = !chosen.wanted().selects_all();
  const bool is_answered = known.count(index_answer::yes) + known.count(index_answer::no) != 0;
  if (keys.empty() || known.count(index_answer::unknown) != 0 || (selects && !is_answered)) return {};
  if (of_objects) return indexed_keys::of_objects(from, keys);
  indexed_keys out = indexed_keys::of_messages(from, keys);
  return selects && out.has_objects_that_differ() ? indexed_keys() : out;
}

tally visit_indexed(const archive& from, const indexed_selection& known, const indexed_keys& values,
                    std::size_t key_count, bool of_objects, const row_callback& take) {
  tally sum{.seen = known.count(index_answer::no), .known = known};
  std::vector<key_result> row(key_count);
  const std::size_t messages = from.size();
  for (std::size_t i = known.next(0); i < messages && sum.more; i = known.next(i + 1)) {
    const std::size_t objects = of_objects ? values.object_count(i) : 1;
    for (std::size_t j = 0; j < objects && sum.more; ++j) {
      if (of_objects && known.answer(i, j) == index_answer::no) continue;
      for (std::size_t k = 0; k < key_count; ++k) row[k] = of_objects ? values.find(k, i, j) : values.find(k, i);
      ++sum.seen;
      ++sum.taken;
      sum.more = take(i, of_objects ? std::optional(j) : std::nullopt, row);
    }
  }
  return sum;
}

}  // namespace

tally for_each_row(const selector& chosen, const archive& from, std::span<const metadata_key> keys,
                   const row_callback& take) {
  const archive_address whole;
  const bool of_objects = chosen.of_objects(whole);
  const indexed_selection known = chosen.known(whole, from);
  if (const indexed_keys values = find_indexed(chosen, from, keys, known, of_objects))
    return visit_indexed(from, known, values, keys.size(), of_objects, take);
  std::vector<key_result> row(keys.size());
  return chosen.visit_all(whole, from, [&](const message& m, key_lookup& in, std::optional<std::size_t> object) {
    for (std::size_t k = 0; k < keys.size(); ++k) row[k] = in.find(keys[k]);
    return take(m.index().value(), object, row);
  });
}

}  // namespace tgmap::archives
