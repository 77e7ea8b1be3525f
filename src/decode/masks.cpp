// SPDX-License-Identifier: Apache-2.0
#include "decode/masks.hpp"

#include "archive/payload_access.hpp"
#include "codec/masks/mask_blob.hpp"
#include "codec/masks/mask_values.hpp"

namespace tgmap::decode {

failure read_mask_of(const object& from, const mask& which, std::uint64_t elements, codec_set allowed,
                     core::scratch& memory, std::span<std::byte> bits) noexcept {
  const auto method = codec::mask_method_from_name(which.method.view());
  if (!method) return {.code = errc::unknown_codec};
  const bool bare = *method == codec::mask_method::none;
  if (!bare && !allowed.contains(codec::compression_of(*method))) return {.code = errc::codec_forbidden};
  if (bare && which.length != bits.size())
    return {.code = errc::bad_mask, .expected = elements, .found = which.length * 8};
  const std::uint64_t most = detail::options_of(from).max_decoded_bytes;
  if (which.length > most) return {.code = errc::decoded_limit, .expected = most, .found = which.length};
  failure why;
  const auto blob = memory.take(which.length, why);
  if (!why) why = detail::read_region(from, which.offset, blob);
  return why ? why : codec::read_mask(*method, blob, elements, bits, codec::mask_libraries());
}

failure mask_bits::load(const plan& p, const object& from, core::scratch& blob, core::scratch& memory) noexcept {
  count_ = 0;
  if (p.what.mask_count == 0) return {};
  if (p.what.dtype == dtype::bitmask) return {.code = errc::bad_combination};
  if (!codec::can_be_masked(p.what.dtype)) return {};
  const std::uint64_t each = codec::mask_bytes(p.what.element_count);
  failure why;
  auto rest = memory.take(each * p.what.mask_count, why);
  for (const mask& one : p.what.masks()) {
    const auto bits = rest.first(static_cast<std::size_t>(why ? 0 : each));
    if (!why) why = read_mask_of(from, one, p.what.element_count, p.allowed, blob, bits);
    if (why) return why;
    rest = rest.subspan(bits.size());
    list_[count_++] = {one.kind, bits};
  }
  return {};
}

void mask_bits::put(dtype of, byte_order order, std::uint64_t first, std::span<std::byte> elements) const noexcept {
  for (const one& each : std::span(list_).first(count_))
    codec::put_masked(each.bits, each.kind, of, order, first, elements);
}

}  // namespace tgmap::decode
