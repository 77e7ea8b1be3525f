// SPDX-License-Identifier: Apache-2.0
#include "decode/plan.hpp"

#include <algorithm>

#include "archive/lookup/message_structure.hpp"
#include "archive/payload_access.hpp"
#include "codec/packing/unpack.hpp"
#include "codec/shuffle/shuffle.hpp"

namespace tgmap::decode {

namespace {

failure plan_filter(plan& out) noexcept {
  if (out.descriptor.filter == filter::none) return {};
  if (out.descriptor.filter == filter::other) return {.code = errc::unknown_codec};
  const auto entry = out.descriptor.entries.find("shuffle_element_size");
  const auto size = entry ? entry->get<std::uint64_t>() : std::nullopt;
  if (!size) return {.code = errc::bad_parameter, .argument = "shuffle_element_size"};
  if (!codec::can_be_shuffled(out.encoded, *size))
    return {.code = errc::bad_parameter, .found = *size, .argument = "shuffle_element_size"};
  // A shuffled element that holds all bytes changes nothing; no bytes can have any element size.
  out.shuffle_size = *size <= out.encoded ? static_cast<std::size_t>(*size) : 0;
  return {};
}

failure plan_compression(bool legacy_szip_flags, std::uint64_t max_bytes, plan& out) noexcept {
  if (out.descriptor.compression == compression::none) {
    if (out.stored != out.encoded)
      return {.code = errc::decoded_size_mismatch, .expected = out.encoded, .found = out.stored};
    return {};
  }
  if (!out.allowed.contains(out.descriptor.compression)) return {.code = errc::codec_forbidden};
  if (out.stored > max_bytes) return {.code = errc::decoded_limit, .expected = max_bytes, .found = out.stored};
  if (failure why = codec::read_codec_parameters(out.descriptor, legacy_szip_flags, out.parameters)) return why;
  out.compression = codec::find_decompressor(out.descriptor.compression);
  return out.compression ? failure{} : failure{.code = errc::codec_absent};
}

}  // namespace

failure plan_sizes(const descriptor& descriptor, std::uint64_t stored, std::uint64_t max_decoded_bytes,
                   plan& out) noexcept {
  out = {.descriptor = descriptor, .stored = stored};
  if (descriptor.encoding == encoding::other) return {.code = errc::unknown_codec};
  const auto plain = size_bytes(descriptor.dtype, descriptor.element_count);
  if (!plain) return {.code = errc::shape_overflow};
  out.decoded = out.encoded = *plain;
  if (out.packed()) {
    if (descriptor.dtype != dtype::float64) return {.code = errc::bad_combination};
    if (failure why = codec::read_packing_parameters(descriptor, out.packing)) return why;
    const auto size = codec::packed_size(descriptor.element_count, out.packing.bits);
    if (!size) return {.code = errc::shape_overflow};
    out.encoded = *size;
  }
  const std::uint64_t largest = std::max(out.decoded, out.encoded);
  if (largest <= max_decoded_bytes) return {};
  // No higher limit could decode a payload that is too short, or too long.
  if (descriptor.compression == compression::none && stored != out.encoded)
    return {.code = errc::decoded_size_mismatch, .expected = out.encoded, .found = stored};
  return {.code = errc::decoded_limit, .expected = max_decoded_bytes, .found = largest};
}

failure make_plan(const descriptor& descriptor, std::uint64_t stored, const open_options& limits,
                  bool legacy_szip_flags, plan& out) noexcept {
  if (descriptor.filter == filter::other || descriptor.compression == compression::other)
    return {.code = errc::unknown_codec};
  if (failure why = plan_sizes(descriptor, stored, limits.max_decoded_bytes, out)) return why;
  out.allowed = limits.codecs;
  if (failure why = plan_filter(out)) return why;
  return plan_compression(legacy_szip_flags, limits.max_decoded_bytes, out);
}

failure with_location(const object& object, failure why) noexcept {
  if (!why) return why;
  if (why.offset == 0) why.offset = object.payload_offset();
  return detail::with_location(why, object.frame().message(), object.index());
}

namespace {

failure plan_within(const open_options& limits, const object& object, const descriptor& descriptor,
                    plan& out) noexcept {
  bool legacy = false;
  if (descriptor.compression == compression::szip)
    if (failure why = detail::legacy_szip_flags(object, legacy)) return with_location(object, why);
  return with_location(object, make_plan(descriptor, object.payload_size(), limits, legacy, out));
}

}  // namespace

failure plan_for(const object& object, const descriptor& descriptor, plan& out) noexcept {
  return plan_within(detail::options_of(object), object, descriptor, out);
}

failure plan_for_parts(const object& object, const descriptor& descriptor, plan& out) noexcept {
  open_options limits = detail::options_of(object);
  if (descriptor.compression == compression::none && descriptor.filter == filter::none)
    limits.max_decoded_bytes = UINT64_MAX;
  return plan_within(limits, object, descriptor, out);
}

failure require_within_limit(const object& object, std::uint64_t bytes) noexcept {
  const std::uint64_t max_bytes = detail::options_of(object).max_decoded_bytes;
  if (bytes <= max_bytes) return {};
  return with_location(object, {.code = errc::decoded_limit, .expected = max_bytes, .found = bytes});
}

}  // namespace tgmap::decode
