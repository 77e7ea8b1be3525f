// SPDX-License-Identifier: Apache-2.0
#include "write/checks.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <tgmap/enum_names.hpp>

#include "cbor/canonical/canonical.hpp"
#include "codec/failures.hpp"
#include "codec/masks/mask_blob.hpp"
#include "codec/packing/packing_parameters.hpp"
#include "codec/packing/unpack.hpp"
#include "codec/shuffle/shuffle.hpp"

namespace tgmap::write {

namespace {

constexpr std::uint64_t max_alignment = 4096;
constexpr std::uint32_t max_metadata_depth = 256;  // of containers, as readers accept it

}  // namespace

failure check_options(const write_options& options) noexcept {
  if (options.version != 2 && options.version != 3)
    return {.code = errc::invalid_option,
            .expected = 3,
            .found = static_cast<std::uint64_t>(options.version),
            .argument = "write_options::version"};
  const std::uint64_t alignment = options.payload_alignment;
  if (!std::has_single_bit(alignment) || alignment < min_alignment || alignment > max_alignment)
    return {.code = errc::invalid_option,
            .expected = max_alignment,
            .found = alignment,
            .argument = "write_options::payload_alignment"};
  return {};
}

namespace {

/// Does the same as the public function. Also returns the position of `_reserved_`.
failure check_map(const cbor_value& keys, std::uint32_t depth, cbor::key_place& reserved) noexcept {
  const auto kind = keys.kind();
  if (kind != cbor_kind::map)
    return {.code = errc::wrong_kind, .expected = std::uint64_t(cbor_kind::map), .found = std::uint64_t(kind)};
  const auto encoded = keys.encoded();
  if (!cbor::find_in_text_map(encoded, "_reserved_", reserved))
    return {
        .code = errc::wrong_kind, .expected = std::uint64_t(cbor_kind::text), .found = std::uint64_t(cbor_kind::map)};
  // A container takes at least one byte, so a shorter map cannot be too deep.
  const std::uint32_t limit = max_metadata_depth - depth;
  if (encoded.size() <= limit || cbor::nesting_depth(encoded) <= limit) return {};
  return {.code = errc::cbor_too_deep, .expected = max_metadata_depth};
}

}  // namespace

failure check_map(const cbor_value& keys, std::uint32_t depth) noexcept {
  cbor::key_place reserved;
  return check_map(keys, depth, reserved);
}

failure check_keys(const cbor_value& keys, std::uint32_t depth) noexcept {
  cbor::key_place reserved;
  return check_keys(keys, depth, reserved);
}

failure check_keys(const cbor_value& keys, std::uint32_t depth, cbor::key_place& reserved) noexcept {
  if (failure why = check_map(keys, depth, reserved)) return why;
  return reserved.is_present ? failure{.code = errc::reserved_key} : failure{};
}

namespace {

/// Version 3 has the parameters of simple_packing under these names, version 2 without `sp_` (§7.1).
constexpr std::string_view packing_keys[] = {"sp_reference_value", "sp_binary_scale_factor", "sp_decimal_scale_factor",
                                             "sp_bits_per_value"};
constexpr std::size_t packing_prefix = 3;

/// Finds the number of bytes after encoding and filter; nothing if the encoding is not one of this library.
failure find_encoded_size(const descriptor& descriptor, int version, std::optional<std::uint64_t>& out) noexcept {
  if (descriptor.encoding == encoding::other) return {};
  const auto plain = size_bytes(descriptor.dtype, descriptor.element_count);
  if (!plain) return {.code = errc::shape_overflow};
  out = plain;
  if (descriptor.encoding != encoding::simple_packing) return {};
  const bool all_named = std::all_of(std::begin(packing_keys), std::end(packing_keys), [&](std::string_view key) {
    return descriptor.entries.find(version == 2 ? key.substr(packing_prefix) : key).has_value();
  });
  if (!all_named) return codec::bad_parameter(0, "simple_packing");
  codec::packing_parameters packing;
  if (failure why = codec::read_packing_parameters(descriptor, packing)) return why;
  out = codec::packed_size(descriptor.element_count, packing.bits);
  return out ? failure{} : failure{.code = errc::shape_overflow};
}

/// Checks the element size that readers need to undo the filter.
failure check_filter(const descriptor& descriptor, const std::optional<std::uint64_t>& encoded_size) noexcept {
  if (descriptor.filter != filter::shuffle) return {};
  const auto entry = descriptor.entries.find("shuffle_element_size");
  const auto size = entry ? entry->get<std::uint64_t>() : std::nullopt;
  if (!size) return codec::bad_parameter(0, "shuffle_element_size");
  return !encoded_size || codec::can_be_shuffled(*encoded_size, *size)
             ? failure{}
             : codec::bad_parameter(*size, "shuffle_element_size");
}

}  // namespace

failure check_stored_descriptor(const descriptor& descriptor, std::uint64_t payload_size, int version) noexcept {
  const bool needs_version_3 = descriptor.mask_count != 0 || descriptor.compression == compression::rle ||
                               descriptor.compression == compression::roaring;
  if (version == 2 && needs_version_3) return {.code = errc::unsupported_wire_version, .expected = 3, .found = 2};
  const std::size_t rank = descriptor.rank(), strides = descriptor.strides().size();
  if (descriptor.ndim != rank) return {.code = errc::bad_descriptor, .expected = rank, .found = descriptor.ndim};
  if (strides != rank) return {.code = errc::bad_descriptor, .expected = rank, .found = strides};
  for (const mask& each : descriptor.masks())
    if (!from_string<mask_method>(each.method.view())) return {.code = errc::unknown_codec};
  std::optional<std::uint64_t> encoded_size;
  if (failure why = find_encoded_size(descriptor, version, encoded_size)) return why;
  if (failure why = check_filter(descriptor, encoded_size)) return why;
  const bool size_is_known =
      encoded_size && descriptor.compression == compression::none && descriptor.filter != filter::other;
  if (!size_is_known || payload_size == *encoded_size) return {};
  return {.code = errc::payload_size_mismatch, .expected = *encoded_size, .found = payload_size};
}

}  // namespace tgmap::write
