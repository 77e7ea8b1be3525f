// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <new>
#include <string>
#include <tgmap/constant/archive.hpp>

#include "constant/bridge/archive_keys.hpp"
#include "constant/model/constant_access.hpp"
#include "constant/model/label_table.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace {

/// The owner of everything that the message borrows.
struct message_owner {
  tensor_constant constant{};
  lookup_table table{};
};

new_object object_of(std::span<const std::byte> data, dtype type, std::vector<std::uint64_t> shape,
                     std::string_view role) {
  new_object out;
  out.data = data;
  out.dtype = type;
  out.shape = std::move(shape);
  out.pipeline.missing.check_elements = false;  // NaN and infinities are stored as they are
  out.base.set(keys::role, role);
  return out;
}

new_object numbers_of(std::span<const std::byte> data, std::string_view role) {
  new_object out = object_of(data, dtype::uint64, {data.size() / 8}, role);
  out.byte_order = byte_order::little;
  return out;
}

new_object cells_of(const tensor_constant& constant) {
  const tensor_type& type = constant.type();
  std::vector<std::uint64_t> shape;
  std::vector<cbor_value> names;
  if (type.mapped_count() != 0) {
    shape.push_back(constant.blocks());
    names.emplace_back(keys::blocks_name);
  }
  for (const dimension& one : type.dimensions())
    if (!one.is_mapped()) {
      shape.push_back(one.size);
      names.emplace_back(one.name);
    }
  new_object out = object_of(constant.bytes(), type.cell_type(), std::move(shape), keys::cells);
  out.base.set(keys::dimensions, cbor_value::array(names));
  return out;
}

failure fill_message(const tensor_constant& constant, stored_constant& out) {
  const auto owner = std::make_shared<message_owner>(message_owner{.constant = constant});
  const constant_parts parts = constant_access::parts(constant);
  const tensor_type& type = constant.type();
  std::vector<cbor_value> names;
  for (const dimension& one : type.dimensions()) names.emplace_back(one.name);
  out.message.extra.set(keys::type, type.text());
  out.message.extra.set(keys::dimensions, cbor_value::array(names));
  out.message.objects.emplace_back(cells_of(constant));
  if (type.mapped_count() != 0) {
    failure why;
    owner->table = make_lookup_table(constant, why);
    if (why) return why;
    out.message.extra.set(keys::seed, owner->table.seed);
    out.message.objects.emplace_back(object_of(parts.text, dtype::uint8, {parts.text.size()}, keys::labels));
    out.message.objects.emplace_back(numbers_of(parts.offsets, keys::offsets));
    out.message.objects.emplace_back(numbers_of(owner->table.entries.bytes(), keys::table));
  }
  out.owner = pin(owner);
  return {};
}

}  // namespace

stored_constant to_archive(const tensor_constant& constant, failure& why) noexcept try {
  stored_constant out;
  why = fill_message(constant, out);
  return why ? stored_constant() : std::move(out);
} catch (const tgmap::error& e) {
  why = e.details();
  return {};
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

stored_constant to_archive(const tensor_constant& constant) {
  failure why;
  stored_constant out = to_archive(constant, why);
  tgmap::detail::raise_if(why);
  return out;
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
