// SPDX-License-Identifier: Apache-2.0
#include <tgmap/query/sort_reader.hpp>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <new>

#include "archive/access.hpp"
#include "core/text/split.hpp"
#include "core/text/trim.hpp"

namespace tgmap {
inline namespace v0 {

std::vector<sort_column> parse_sort(std::string_view list, failure& why) noexcept try {
  why = {};
  std::vector<sort_column> out;
  for (const std::string_view each : core::split(list)) {
    const std::size_t colon = each.rfind(':');
    const std::string_view order = each.substr(std::min(colon, each.size()));
    const bool has_order = order == ":asc" || order == ":desc";
    const std::string_view name = core::trimmed(has_order ? each.substr(0, colon) : each);
    out.push_back({metadata_key::parse(name, why), order == ":desc"});
    if (!why && name.empty()) why = {.code = errc::bad_key};
    if (!why) continue;
    if (why.code == make_error_code(errc::bad_key)) {
      why.expected = name.size();
      why.found = static_cast<std::size_t>((name.empty() ? each : name).data() - list.data()) + 1;
    }
    return {};
  }
  return out;
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return {};
}

std::vector<sort_column> parse_sort(std::string_view list) {
  return detail::or_throw([&](failure& why) { return parse_sort(list, why); });
}

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

sort_values sort_reader::read(std::span<const key_result> found) {
  sort_values out;
  out.reserve(found.size());
  for (const key_result& each : found) out.push_back(*known_.emplace(each).first);
  return out;
}

sort_values sort_reader::read(key_lookup& in) {
  return detail::or_throw([&](failure& why) { return read(in, why); });
}

}  // namespace v0
}  // namespace tgmap
