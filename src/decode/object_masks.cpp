// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <new>
#include <tgmap/object.hpp>
#include <utility>

#include "archive/payload_access.hpp"
#include "codec/masks/mask_blob.hpp"
#include "codec/masks/mask_values.hpp"
#include "decode/masks.hpp"
#include "decode/plan_for.hpp"

namespace tgmap {
inline namespace v0 {

std::uint64_t missing_mask::count() const noexcept {
  std::uint64_t out = 0;
  for (const std::byte each : bits_) out += static_cast<unsigned>(std::popcount(std::to_integer<unsigned>(each)));
  return out;
}

namespace {

failure list_masks(const object& of, const descriptor& what, std::vector<missing_mask>& out) {
  if (what.mask_count == 0) return {};
  if (what.dtype == dtype::bitmask) return {.code = errc::bad_combination};
  if (!codec::can_be_masked(what.dtype)) return {};
  const open_options& limits = detail::options_of(of);
  const std::uint64_t size = codec::mask_bytes(what.element_count);
  const std::uint64_t all =
      std::max(size * what.mask_count, size_bytes(what.dtype, what.element_count).value_or(UINT64_MAX));
  if (all > limits.max_decoded_bytes)
    return {.code = errc::decoded_limit, .expected = limits.max_decoded_bytes, .found = all};
  core::scratch blob;
  for (const mask& each : what.masks()) {
    std::vector<std::byte> bits(static_cast<std::size_t>(size));
    if (failure why = decode::read_mask_of(of, each, what.element_count, limits.codecs, blob, bits)) return why;
    out.emplace_back(each.kind, what.element_count, std::move(bits));
  }
  return {};
}

}  // namespace

std::vector<missing_mask> object::masks(failure& why) const noexcept try {
  std::vector<missing_mask> out;
  const tgmap::descriptor what = descriptor(why);
  if (!why) why = decode::concerning(*this, list_masks(*this, what, out));
  if (why) out.clear();
  return out;
} catch (const std::bad_alloc&) {
  why = decode::concerning(*this, {.code = errc::out_of_memory});
  return {};
}

}  // namespace v0
}  // namespace tgmap
