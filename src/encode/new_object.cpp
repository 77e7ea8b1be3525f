// SPDX-License-Identifier: Apache-2.0
#include <new>
#include <string_view>
#include <tgmap/write/new_message.hpp>

#include "encode/library_keys.hpp"

namespace tgmap {
inline namespace v0 {

new_object new_object::of(const tensor& from) {
  new_object out;
  out.data = from.bytes();
  out.dtype = from.dtype();
  out.shape.assign(from.shape().begin(), from.shape().end());
  out.strides.assign(from.strides().begin(), from.strides().end());
  out.byte_order = from.byte_order();
  return out;
}

namespace {

/// Returns the entries that the library does not write itself. `entries` must be a copy: its texts are in one piece.
cbor_value further_keys(const cbor_value& entries) {
  std::vector<cbor_value::pair> out;
  entries.view().visit([&](const cbor_view& key, const cbor_view& entry) {
    const auto name = key.get<std::string_view>();
    if (name && !encode::is_library_key(*name)) out.emplace_back(*name, cbor_value::copy(entry));
    return true;
  });
  return cbor_value::map(out);
}

failure describe_like(const descriptor& from, new_object& out) {
  failure why;
  out.stored_byte_order = from.byte_order;
  out.pipeline = pipeline_of(from, why);
  if (why) return why;
  const cbor_value entries = cbor_value::copy(from.entries, why);
  if (why) return why;
  out.descriptor_extra = further_keys(entries);
  if (from.type.kind() == cbor_kind::text) out.type = from.type.text();
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
