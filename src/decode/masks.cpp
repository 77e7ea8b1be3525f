// SPDX-License-Identifier: Apache-2.0
#include "decode/masks.hpp"

#include "archive/decoding.hpp"
#include "codec/mask_blob.hpp"
#include "codec/mask_library.hpp"
#include "codec/mask_values.hpp"

namespace tgmap::decode {

failure put_masks_back(const plan& p, const object& from, byte_order order, scratch& memory,
                       std::span<std::byte> elements) noexcept {
  if (p.what.mask_count == 0) return {};
  if (p.what.dtype == dtype::bitmask) return {.code = errc::bad_combination};
  if (!codec::can_be_masked(p.what.dtype)) return {};
  const std::uint64_t bit_bytes = codec::mask_bytes(p.what.elements);
  for (const mask& one : p.what.masks()) {
    const auto method = codec::mask_method_from_name(one.method.view());
    if (!method) return {.code = errc::unknown_codec};
    failure why;
    const auto both = memory.take(bit_bytes + one.length, why);
    if (why) return why;
    const auto bits = both.first(static_cast<std::size_t>(bit_bytes)), blob = both.subspan(bits.size());
    why = detail::read_region(from, one.offset, blob);
    if (!why) why = codec::read_mask(*method, blob, p.what.elements, bits, codec::mask_libraries());
    if (why) return why;
    codec::put_masked(bits, one.kind, p.what.dtype, order, 0, elements);
  }
  return {};
}

}  // namespace tgmap::decode
