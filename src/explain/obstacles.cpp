// SPDX-License-Identifier: Apache-2.0
#include "explain/obstacles.hpp"

#include <bit>
#include <optional>

namespace tgmap::explain {

namespace {

bool native(byte_order order) noexcept {
  return (order == byte_order::little) == (std::endian::native == std::endian::little);
}

/// Whether what is stored has elements as bytes: packed numbers, and streams of zfp and sz3, have no byte order (§7.0).
bool keeps_byte_order(const descriptor& what) noexcept {
  return what.encoding == encoding::none && what.compression != compression::zfp &&
         what.compression != compression::sz3;
}

/// Bytes that simple_packing makes of the elements: as many bits each as the descriptor says.
std::optional<std::uint64_t> packed_size(const descriptor& what) noexcept {
  auto bits = what.entries.find("sp_bits_per_value");
  if (!bits) bits = what.entries.find("bits_per_value");  // before release 0.19
  const auto number = bits ? bits->get<std::uint64_t>() : std::nullopt;
  if (what.encoding != encoding::simple_packing || !number || *number > 64) return std::nullopt;
  if (what.element_count > UINT64_MAX / 64) return std::nullopt;
  return (what.element_count * *number + 7) / 8;
}

}  // namespace

std::vector<access_obstacle> obstacles(const descriptor& what, std::uint64_t stored, const failure& in_place) {
  std::vector<access_obstacle> out;
  const std::optional<std::uint64_t> decoded = size_bytes(what.dtype, what.element_count);
  const std::optional<std::uint64_t> encoded = what.encoding == encoding::none ? decoded : packed_size(what);
  std::uint64_t size = stored;
  const auto undo = [&](errc code, const short_name& by, std::optional<std::uint64_t> to) {
    out.push_back({code, by, size, to});
    size = to.value_or(size);
  };
  if (what.compression != compression::none) undo(errc::compressed, what.compression_name, encoded);
  if (what.filter != filter::none) undo(errc::filtered, what.filter_name, encoded);
  if (what.encoding != encoding::none) undo(errc::encoded, what.encoding_name, decoded);
  for (const mask& each : what.masks())
    out.push_back({errc::masked, each.method, each.length, size_bytes(dtype::bitmask, what.element_count)});
  if (keeps_byte_order(what) && swap_unit(what.dtype) > 1 && !native(what.byte_order))
    undo(errc::foreign_byte_order, {}, decoded);

  // What in_place says of bytes that nothing was undone for.
  for (const errc code : {errc::unsupported_strides, errc::payload_size_mismatch, errc::misaligned, errc::not_mapped})
    if (in_place.code == make_error_code(code)) undo(code, {}, decoded);
  return out;
}

}  // namespace tgmap::explain
