// SPDX-License-Identifier: Apache-2.0
#include <tgmap/query/sort_reader.hpp>

#include <compare>
#include <cstddef>
#include <new>

#include "archive/access.hpp"

namespace tgmap {
inline namespace v0 {

bool comes_before(std::span<const sort_column> columns, const sort_values& a, const sort_values& b) noexcept {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto order = a[i] <=> b[i];
    if (std::is_eq(order)) continue;
    const bool is_missing = !a[i] || !b[i];
    return columns[i].descending && !is_missing ? std::is_gt(order) : std::is_lt(order);
  }
  return false;
}

sort_values sort_reader::read(key_lookup& in, failure& why) noexcept try {
  why = {};
  sort_values out;
  out.reserve(columns_.size());
  for (const sort_column& each : columns_) {
    const key_result found = in.find(each.key, why);
    if (why) return {};
    out.push_back(*known_.emplace(found).first);
  }
  return out;
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return {};
}

sort_values sort_reader::read(key_lookup& in) {
  return detail::or_throw([&](failure& why) { return read(in, why); });
}

}  // namespace v0
}  // namespace tgmap
