// SPDX-License-Identifier: Apache-2.0
#include "collection/archive_rows.hpp"

#include <vector>

namespace tgmap::archives {

tally visit_indexed(const archive& from, const indexed_selection& known, const indexed_keys& values,
                    std::size_t value_count, bool of_objects, const row_callback& take) {
  tally sum;
  sum.seen = known.count(index_answer::no);
  sum.known = known;
  std::vector<key_result> row(value_count);
  const std::size_t messages = from.size();
  for (std::size_t i = known.next(0); i < messages && sum.more; i = known.next(i + 1)) {
    const std::size_t objects = of_objects ? values.object_count(i) : 1;
    for (std::size_t j = 0; j < objects && sum.more; ++j) {
      if (of_objects && known.answer(i, j) == index_answer::no) continue;
      for (std::size_t k = 0; k < value_count; ++k) row[k] = of_objects ? values.find(k, i, j) : values.find(k, i);
      ++sum.seen;
      ++sum.taken;
      sum.more = take(i, of_objects ? std::optional(j) : std::nullopt, row);
    }
  }
  return sum;
}

tally for_each_row(const selector& chosen, const archive& from, std::span<const metadata_key> keys,
                   const row_callback& take) {
  const archive_address whole;
  const selection_search search = chosen.search(whole, from);
  if (const indexed_keys values = search.indexed_values(keys))
    return visit_indexed(from, search.known(), values, keys.size(), search.of_objects(), take);
  std::vector<key_result> row(keys.size());
  return chosen.visit_all(whole, from, [&](const message& m, key_lookup& in, std::optional<std::size_t> object) {
    for (std::size_t k = 0; k < keys.size(); ++k) row[k] = in.find(keys[k]);
    return take(m.index().value(), object, row);
  });
}

}  // namespace tgmap::archives
