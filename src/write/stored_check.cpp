// SPDX-License-Identifier: Apache-2.0
#include "write/stored_check.hpp"

#include <algorithm>
#include <optional>

#include "codec/failures.hpp"
#include "codec/masks/mask_blob.hpp"
#include "codec/packing/packing_parameters.hpp"
#include "codec/packing/unpack.hpp"
#include "codec/shuffle/shuffle.hpp"

namespace tgmap::write {

namespace {

/// Readers of today find parameters under these names alone, early ones under those without `sp_` (§7.1).
constexpr std::string_view packing_keys[] = {"sp_reference_value", "sp_binary_scale_factor", "sp_decimal_scale_factor",
                                             "sp_bits_per_value"};
constexpr std::size_t packing_prefix = 3;

/// Bytes behind encoding and filter; nothing where the encoding is one of somebody else's.
failure encoded_size(const descriptor& what, int version, std::optional<std::uint64_t>& out) noexcept {
  if (what.encoding == encoding::other) return {};
  const auto plain = size_bytes(what.dtype, what.element_count);
  if (!plain) return {.code = errc::shape_overflow};
  out = plain;
  if (what.encoding != encoding::simple_packing) return {};
  const bool all_named = std::all_of(std::begin(packing_keys), std::end(packing_keys), [&](std::string_view key) {
    return what.entries.find(version == 2 ? key.substr(packing_prefix) : key).has_value();
  });
  if (!all_named) return codec::bad_parameter(0, "simple_packing");
  codec::packing_parameters packing;
  if (failure why = codec::read_packing_parameters(what, packing)) return why;
  out = codec::packed_size(what.element_count, packing.bits);
  return out ? failure{} : failure{.code = errc::shape_overflow};
}

/// What readers undo the filter by.
failure check_filter(const descriptor& what, const std::optional<std::uint64_t>& encoded) noexcept {
  if (what.filter != filter::shuffle) return {};
  const auto entry = what.entries.find("shuffle_element_size");
  const auto size = entry ? entry->get<std::uint64_t>() : std::nullopt;
  if (!size) return codec::bad_parameter(0, "shuffle_element_size");
  return !encoded || codec::can_be_shuffled(*encoded, *size) ? failure{}
                                                             : codec::bad_parameter(*size, "shuffle_element_size");
}

}  // namespace

failure check_stored(const descriptor& what, std::uint64_t payload, int version) noexcept {
  const bool new_codec = what.compression == compression::rle || what.compression == compression::roaring;
  if (version == 2 && (what.mask_count != 0 || new_codec))
    return {.code = errc::unsupported_wire_version, .expected = 3, .found = 2};
  const std::size_t rank = what.rank(), strides = what.strides().size();
  if (what.ndim != rank) return {.code = errc::bad_descriptor, .expected = rank, .found = what.ndim};
  if (strides != rank) return {.code = errc::bad_descriptor, .expected = rank, .found = strides};
  for (const mask& each : what.masks())
    if (!codec::mask_method_from_name(each.method.view())) return {.code = errc::unknown_codec};
  std::optional<std::uint64_t> encoded;
  if (failure why = encoded_size(what, version, encoded)) return why;
  if (failure why = check_filter(what, encoded)) return why;
  const bool told = encoded && what.compression == compression::none && what.filter != filter::other;
  if (!told || payload == *encoded) return {};
  return {.code = errc::payload_size_mismatch, .expected = *encoded, .found = payload};
}

}  // namespace tgmap::write
