// SPDX-License-Identifier: Apache-2.0
#include <new>
#include <string_view>
#include <tgmap/new_object.hpp>

#include "encode/own_keys.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

/// Of a copy, in which texts that lie in pieces are whole.
item further_keys(const item& entries) {
  std::vector<item::pair> out;
  entries.view().visit([&](const value& key, const value& entry) {
    const auto name = key.get<std::string_view>();
    if (name && !encode::is_own_key(*name)) out.emplace_back(*name, item::copy(entry));
    return true;
  });
  return item::map(out);
}

failure describe_like(const descriptor& from, new_object& out) {
  failure why;
  out.store_as = from.byte_order;
  out.pipeline = pipeline_of(from, why);
  if (why) return why;
  const item entries = item::copy(from.entries, why);
  if (why) return why;
  out.more = further_keys(entries);
  if (from.type.type() == kind::text) out.type = from.type.text();
  return {};
}

}  // namespace

new_object new_object::like(const tensor& elements, const descriptor& from) {
  new_object out = of(elements);
  detail::raise_if(describe_like(from, out));
  return out;
}

new_object new_object::like(const tensor& elements, const descriptor& from, failure& why) noexcept try {
  new_object out = of(elements);
  why = describe_like(from, out);
  return why ? new_object() : out;
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return {};
}

}  // namespace v0
}  // namespace tgmap
