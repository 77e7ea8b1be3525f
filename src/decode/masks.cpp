// SPDX-License-Identifier: Apache-2.0
#include "decode/masks.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <tgmap/enum_names.hpp>
#include <tgmap/object.hpp>
#include <utility>

#include "archive/access.hpp"
#include "archive/payload_access.hpp"
#include "codec/masks/mask_blob.hpp"
#include "codec/masks/mask_values.hpp"
#include "decode/plan.hpp"

namespace tgmap::decode {

failure read_object_mask(const object& object, const mask& which, std::uint64_t elements, codec_set allowed,
                         std::span<const std::byte> verified, core::scratch& memory,
                         std::span<std::byte> bits) noexcept {
  const auto method = from_string<mask_method>(which.method.view());
  if (!method) return {.code = errc::unknown_codec};
  const bool bare = *method == codec::mask_method::none;
  if (!bare && !allowed.contains(codec::compression_of(*method))) return {.code = errc::codec_forbidden};
  if (bare && which.length != bits.size())
    return {.code = errc::bad_mask, .expected = elements, .found = which.length * 8};
  const std::uint64_t max_bytes = detail::options_of(object).max_decoded_bytes;
  if (which.length > max_bytes) return {.code = errc::decoded_limit, .expected = max_bytes, .found = which.length};
  const auto& built = codec::built_mask_codecs();
  if (verified.data() != nullptr) {
    const std::uint64_t begin = object.payload_size(),
                        size = verified.size();  // no mask begins before the payload ends
    if (which.offset < begin || which.offset - begin > size || which.length > size - (which.offset - begin))
      return {.code = errc::mask_out_of_range, .expected = size, .found = which.offset};
    const auto blob = verified.subspan(static_cast<std::size_t>(which.offset - begin));
    return codec::read_mask(*method, blob.first(static_cast<std::size_t>(which.length)), elements, bits, built);
  }
  failure why;
  const auto blob = memory.take(which.length, why);
  if (!why) why = detail::read_region(object, which.offset, blob);
  return why ? why : codec::read_mask(*method, blob, elements, bits, built);
}

failure mask_bits::load(const plan& p, const object& object, core::scratch& blob, core::scratch& memory) noexcept {
  count_ = 0;
  if (p.descriptor.mask_count == 0) return {};
  if (p.descriptor.dtype == dtype::bitmask) return {.code = errc::bad_combination};
  if (!codec::can_be_masked(p.descriptor.dtype)) return {};
  const std::uint64_t each = codec::mask_bytes(p.descriptor.element_count);
  // Parts of an object can be within the limit when it is not. Its masks are read whole.
  if (failure why = require_within_limit(object, each * p.descriptor.mask_count)) return why;
  failure why;
  auto rest = memory.take(each * p.descriptor.mask_count, why);
  for (const mask& one : p.descriptor.masks()) {
    const auto bits = rest.first(static_cast<std::size_t>(why ? 0 : each));
    if (!why) why = read_object_mask(object, one, p.descriptor.element_count, p.allowed, p.verified_masks, blob, bits);
    if (why) return why;
    rest = rest.subspan(bits.size());
    list_[count_++] = {one.kind, bits};
  }
  return {};
}

void mask_bits::put(dtype of, byte_order order, std::uint64_t first, std::span<std::byte> elements) const noexcept {
  for (const one& each : std::span(list_).first(count_))
    codec::restore_masked(each.bits, each.kind, of, order, first, elements);
}

}  // namespace tgmap::decode

namespace tgmap {
inline namespace v0 {

std::uint64_t missing_mask::count() const noexcept {
  std::uint64_t out = 0;
  for (const std::byte each : bits_) out += static_cast<unsigned>(std::popcount(std::to_integer<unsigned>(each)));
  return out;
}

namespace {

failure list_masks(const object& object, const descriptor& descriptor, std::vector<missing_mask>& out) {
  if (descriptor.mask_count == 0) return {};
  if (descriptor.dtype == dtype::bitmask) return {.code = errc::bad_combination};
  if (!codec::can_be_masked(descriptor.dtype)) return {};
  const open_options& limits = detail::options_of(object);
  const std::uint64_t size = codec::mask_bytes(descriptor.element_count);
  const std::uint64_t all = std::max(size * descriptor.mask_count,
                                     size_bytes(descriptor.dtype, descriptor.element_count).value_or(UINT64_MAX));
  if (all > limits.max_decoded_bytes)
    return {.code = errc::decoded_limit, .expected = limits.max_decoded_bytes, .found = all};
  core::scratch blob;
  for (const mask& each : descriptor.masks()) {
    std::vector<std::byte> bits(static_cast<std::size_t>(size));
    if (failure why = decode::read_object_mask(object, each, descriptor.element_count, limits.codecs, {}, blob, bits))
      return why;
    out.emplace_back(each.kind, descriptor.element_count, std::move(bits));
  }
  return {};
}

}  // namespace

std::vector<missing_mask> object::masks(failure& why) const noexcept try {
  std::vector<missing_mask> out;
  const tgmap::descriptor what = descriptor(why);
  if (!why) why = decode::with_location(*this, list_masks(*this, what, out));
  if (why) out.clear();
  return out;
} catch (const std::bad_alloc&) {
  why = decode::with_location(*this, {.code = errc::out_of_memory});
  return {};
}

std::vector<missing_mask> object::masks() const {
  return detail::or_throw([&](failure& why) { return masks(why); });
}

}  // namespace v0
}  // namespace tgmap
