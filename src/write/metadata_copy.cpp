// SPDX-License-Identifier: Apache-2.0
#include "write/metadata_copy.hpp"

#include <vector>

#include "archive/metadata/metadata_access.hpp"
#include "cbor/canonical_map.hpp"
#include "cbor/cbor_value_access.hpp"
#include "write/guarded.hpp"

namespace tgmap {

namespace write {

namespace {

/// All keys, one by one.
failure copy_entries(const metadata& from, cbor_value& out) {
  failure why;
  const auto entries = from.entries();
  std::vector<cbor_value::pair> pairs;
  pairs.reserve(entries.size());
  for (const auto& each : entries) {
    pairs.emplace_back(each.key, cbor_value::copy(each.value, why));
    if (why) return why;
  }
  out = cbor_value::map(pairs);
  return {};
}

}  // namespace

failure copy_metadata(const metadata& from, cbor_value& to) {
  if (from.empty()) return detail::cbor_value_access::copy_map({}, to);
  const auto whole = detail::metadata_access::only_map(from);
  if (!whole || whole->kind() != cbor_kind::map) return copy_entries(from, to);
  failure why = detail::cbor_value_access::copy(*whole, to);
  if (!why && !detail::metadata_access::shows_provenance(from)) to.erase("_reserved_", why);
  return why;
}

failure take_own_keys(cbor_value& base) {
  failure why;
  if (cbor::has_key(base.encoded(), "_reserved_")) base.erase("_reserved_", why);
  return why;
}

}  // namespace write

inline namespace v0 {

cbor_value cbor_value::copy(const metadata& from, failure& why) noexcept {
  cbor_value out;
  why = write::guarded([&] { return write::copy_metadata(from, out); });
  return out;
}

cbor_value cbor_value::copy(const metadata& from) {
  failure why;
  auto out = copy(from, why);
  detail::raise_if(why);
  return out;
}

}  // namespace v0
}  // namespace tgmap
