// SPDX-License-Identifier: Apache-2.0
// Objects of archives, as they are stored, for messages of the same wire version or of version 3.
#include <array>
#include <string>
#include <tgmap/write/new_message.hpp>
#include <utility>

#include "archive/metadata/owned_metadata.hpp"
#include "archive/owned_descriptor.hpp"
#include "archive/payload_access.hpp"
#include "write/guarded.hpp"
#include "write/metadata_copy.hpp"
#include "write/szip_writer.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

constexpr std::pair<std::string_view, std::string_view> packing_names[] = {
    {"reference_value", "sp_reference_value"},
    {"binary_scale_factor", "sp_binary_scale_factor"},
    {"decimal_scale_factor", "sp_decimal_scale_factor"},
    {"bits_per_value", "sp_bits_per_value"}};

/// What version 3 calls what version 2 says.
failure raise_version(const object& from, const descriptor& what, cbor_value& map) {
  bool legacy = false;
  if (write::depends_on_szip_writer(what)) {
    if (failure why = detail::legacy_szip_flags(from, legacy)) return why;
    if (legacy) return {.code = errc::unsupported_upgrade, .offset = from.frame().offset()};
  }
  map.erase("hash");  // the frame has one
  if (what.encoding != encoding::simple_packing) return {};
  for (const auto& [old_name, new_name] : packing_names)
    if (!map.view().find(new_name)) map.rename(old_name, new_name);
  // Early releases packed any type of eight bytes, and always gave float64 back; later ones refuse to.
  map.set("dtype", to_string_view(dtype::float64));
  return {};
}

failure copy_object(const message& from, std::size_t j, int version, stored_object& out) {
  failure why;
  const object source = from.at(j, why);
  if (why) return why;
  detail::owned_metadata keys;
  const metadata lying = from.base(j, why);
  if (!why) why = keys.assign(from, lying);
  if (!why) why = write::copy_metadata(keys.get(), out.base);
  if (!why) why = write::take_own_keys(out.base);
  if (why) return why;
  if (from.version() == version) {
    out.source = source;
    out.descriptor = cbor_value::map();
    return {};
  }
  if (version != 3 || from.version() != 2)
    return {.code = errc::unsupported_wire_version,
            .offset = from.offset(),
            .expected = static_cast<std::uint64_t>(from.version()),
            .found = static_cast<std::uint64_t>(version)};
  detail::owned_descriptor held;
  why = held.read(source);
  if (!why) out.payload_and_masks = source.payload_and_masks(why);
  if (!why) out.descriptor = cbor_value::copy(held.get().entries, why);
  return why ? why : raise_version(source, held.get(), out.descriptor);
}

}  // namespace

stored_object stored_object::of(const message& from, std::size_t j, int version, failure& why) noexcept {
  stored_object out{.descriptor = cbor_value(), .base = cbor_value()};  // null takes no memory, an empty map does
  why = write::guarded([&] { return copy_object(from, j, version, out); });
  if (why && !why.message) why.message = from.position().index();
  if (why && !why.object) why.object = j;
  return out;
}

stored_object stored_object::of(const message& from, std::size_t j, failure& why) noexcept {
  return of(from, j, 3, why);
}

stored_object stored_object::of(const message& from, std::size_t j, int version) {
  failure why;
  auto out = of(from, j, version, why);
  detail::raise_if(why);
  return out;
}

}  // namespace v0
}  // namespace tgmap
