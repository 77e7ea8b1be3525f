// SPDX-License-Identifier: Apache-2.0
#include <new>
#include <string_view>
#include <tgmap/enum_names.hpp>
#include <tgmap/write/new_message.hpp>

#include "core/text/enum_table.hpp"
#include "wire/descriptor_keys.hpp"

namespace tgmap {
inline namespace v0 {

new_object new_object::of(const tensor& tensor) {
  new_object out;
  out.data = tensor.bytes();
  out.dtype = tensor.dtype();
  out.shape.assign(tensor.shape().begin(), tensor.shape().end());
  out.strides.assign(tensor.strides().begin(), tensor.strides().end());
  out.byte_order = tensor.byte_order();
  return out;
}

namespace {

/// Returns the entries that the library does not write itself. `entries` must be a copy: its texts are in one piece.
cbor_value further_keys(const cbor_value& entries) {
  std::vector<cbor_value::pair> out;
  entries.view().visit([&](const cbor_view& key, const cbor_view& entry) {
    const auto name = key.get<std::string_view>();
    if (name && !wire::is_library_key(*name)) out.emplace_back(*name, cbor_value::copy(entry));
    return true;
  });
  return cbor_value::map(out);
}

failure describe_like(const descriptor& descriptor, new_object& out) {
  failure why;
  out.stored_byte_order = descriptor.byte_order;
  out.pipeline = pipeline_of(descriptor, why);
  if (why) return why;
  const cbor_value entries = cbor_value::copy(descriptor.entries, why);
  if (why) return why;
  out.descriptor_extra = further_keys(entries);
  if (descriptor.type.kind() == cbor_kind::text) out.type = descriptor.type.text();
  return {};
}

}  // namespace

new_object new_object::like(const tensor& elements, const descriptor& descriptor) {
  new_object out = of(elements);
  detail::raise_if(describe_like(descriptor, out));
  return out;
}

new_object new_object::like(const tensor& elements, const descriptor& descriptor, failure& why) noexcept try {
  new_object out = of(elements);
  why = describe_like(descriptor, out);
  return why ? new_object() : out;
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return {};
}

TGMAP_ENUM_NAMES(index_placement, 0, "none", "header", "footer", "both")
TGMAP_ENUM_NAMES(on_mismatch, 0, "refuse", "take")

}  // namespace v0
}  // namespace tgmap
