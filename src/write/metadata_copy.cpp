// SPDX-License-Identifier: Apache-2.0
#include "write/metadata_copy.hpp"

#include <vector>

#include "archive/metadata_layout.hpp"
#include "cbor/item_access.hpp"
#include "cbor/map_pairs.hpp"
#include "write/guarded.hpp"

namespace tgmap {

namespace write {

namespace {

/// All keys, one by one.
failure copy_entries(const metadata& from, item& out) {
  failure why;
  const auto entries = from.entries();
  std::vector<item::pair> pairs;
  pairs.reserve(entries.size());
  for (const auto& each : entries) {
    pairs.emplace_back(each.key, item::copy(each.item, why));
    if (why) return why;
  }
  out = item::map(pairs);
  return {};
}

}  // namespace

failure copy_metadata(const metadata& from, item& to) {
  if (from.empty()) return detail::item_access::copy_map({}, to);
  const auto whole = detail::metadata_access::only_map(from);
  if (!whole || whole->type() != kind::map) return copy_entries(from, to);
  failure why = detail::item_access::copy(*whole, to);
  if (!why && !detail::metadata_access::shows_provenance(from)) to.erase("_reserved_", why);
  return why;
}

failure take_own_keys(item& base) {
  failure why;
  if (cbor::has_key(base.encoded(), "_reserved_")) base.erase("_reserved_", why);
  return why;
}

}  // namespace write

inline namespace v0 {

item item::copy(const metadata& from, failure& why) noexcept {
  item out;
  why = write::guarded([&] { return write::copy_metadata(from, out); });
  return out;
}

item item::copy(const metadata& from) {
  failure why;
  auto out = copy(from, why);
  detail::raise_if(why);
  return out;
}

}  // namespace v0
}  // namespace tgmap
