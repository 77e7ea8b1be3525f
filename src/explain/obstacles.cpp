// SPDX-License-Identifier: Apache-2.0
#include "explain/obstacles.hpp"

#include <bit>
#include <optional>

namespace tgmap::explain {

namespace {

bool is_native(byte_order order) noexcept {
  return (order == byte_order::little) == (std::endian::native == std::endian::little);
}

/// Returns true if the stored elements have a byte order. Packed numbers and streams of zfp and sz3 have none.
/// Spec: §7.0.
bool has_byte_order(const descriptor& descriptor) noexcept {
  return descriptor.encoding == encoding::none && descriptor.compression != compression::zfp &&
         descriptor.compression != compression::sz3;
}

/// Returns the size of the elements in simple_packing, or nothing for other encodings and bad descriptors.
std::optional<std::uint64_t> packed_size(const descriptor& descriptor) noexcept {
  auto bits = descriptor.entries.find("sp_bits_per_value");
  if (!bits) bits = descriptor.entries.find("bits_per_value");  // name before release 0.19
  const auto number = bits ? bits->get<std::uint64_t>() : std::nullopt;
  if (descriptor.encoding != encoding::simple_packing || !number || *number > 64) return std::nullopt;
  if (descriptor.element_count > UINT64_MAX / 64) return std::nullopt;
  return (descriptor.element_count * *number + 7) / 8;
}

}  // namespace

std::vector<access_obstacle> obstacles(const descriptor& descriptor, std::uint64_t stored,
                                       const failure& why_not_in_place) {
  std::vector<access_obstacle> out;
  const std::optional<std::uint64_t> decoded = size_bytes(descriptor.dtype, descriptor.element_count);
  const std::optional<std::uint64_t> encoded =
      descriptor.encoding == encoding::none ? decoded : packed_size(descriptor);
  std::uint64_t size = stored;
  const auto undo = [&](errc code, const short_name& by, std::optional<std::uint64_t> to) {
    out.push_back({code, by, size, to});
    size = to.value_or(size);
  };
  if (descriptor.compression != compression::none) undo(errc::compressed, descriptor.compression_name, encoded);
  if (descriptor.filter != filter::none) undo(errc::filtered, descriptor.filter_name, encoded);
  if (descriptor.encoding != encoding::none) undo(errc::encoded, descriptor.encoding_name, decoded);
  for (const mask& each : descriptor.masks())
    out.push_back({errc::masked, each.method, each.length, size_bytes(dtype::bitmask, descriptor.element_count)});
  if (has_byte_order(descriptor) && swap_unit(descriptor.dtype) > 1 && !is_native(descriptor.byte_order))
    undo(errc::foreign_byte_order, {}, decoded);

  // At most one of these applies, and only if nothing had to be undone.
  for (const errc code : {errc::unsupported_strides, errc::payload_size_mismatch, errc::misaligned, errc::not_mapped})
    if (why_not_in_place.code == make_error_code(code)) undo(code, {}, decoded);
  return out;
}

}  // namespace tgmap::explain
