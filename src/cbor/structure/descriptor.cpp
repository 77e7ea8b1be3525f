// SPDX-License-Identifier: Apache-2.0
#include "cbor/structure/descriptor.hpp"

#include <algorithm>

#include "cbor/prescan.hpp"
#include "cbor/structure/descriptor_entry.hpp"
#include "cbor/text.hpp"
#include "cbor/walk.hpp"

namespace tgmap::cbor {

namespace {

/// Computes the product of the shape; 0 if an extent is 0.
failure count_elements(descriptor& out) noexcept {
  out.element_count = 1;
  const auto shape = out.shape();
  if (std::find(shape.begin(), shape.end(), 0u) != shape.end()) {
    out.element_count = 0;
    return {};
  }
  for (const std::uint64_t extent : shape) {
    if (out.element_count > UINT64_MAX / extent) return {.code = errc::shape_overflow};
    out.element_count *= extent;
  }
  return {};
}

std::uint64_t offset_in(std::span<const std::byte> bytes, const cbor_view& item) noexcept {
  return static_cast<std::uint64_t>(item.bytes_to_end().data() - bytes.data());
}

/// Makes the offset of a repeated key, which counts from `from`, count from the start of the descriptor.
failure with_offset(failure why, std::uint64_t from) noexcept {
  if (why.code == make_error_code(errc::duplicate_key)) why.found += from;
  return why;
}

failure read_entries(std::span<const std::byte> bytes, std::uint64_t region, std::uint32_t max_depth,
                     descriptor& out) noexcept {
  cbor_view::cursor s;
  out.entries = cbor_view(bytes);
  if (max_depth == 0) return {.code = errc::cbor_too_deep, .expected = max_depth};
  if (!first(bytes, s)) return bytes.empty() ? failure{.code = errc::bad_cbor} : unusable();
  if (!s.has_key) return unusable();
  std::uint32_t seen = 0;
  for (;;) {
    if (read_flat_entry(s, out, seen)) continue;
    if (!next(s)) break;
    if (s.key.kind() != cbor_kind::text) return {.code = errc::bad_cbor};
    const descriptor_key which = key_of(s.key.bytes_to_end());
    if (which != descriptor_key::other) {
      if ((seen & bit(which)) != 0) return {.code = errc::duplicate_key, .found = offset_in(bytes, s.key)};
      seen |= bit(which);
    }
    // The other values are checked by their own readers.
    if (which >= descriptor_key::masks)
      if (failure why = prescan(s.value.bytes_to_end(), max_depth - 1, rules::untagged)) {
        why.found += offset_in(bytes, s.value);
        return why;
      }
    if (const failure why = read_entry(which, s.value, region, out)) return with_offset(why, offset_in(bytes, s.value));
  }
  if (s.is_malformed) return {.code = errc::bad_cbor, .found = static_cast<std::uint64_t>(s.rest - bytes.data())};
  if ((seen & required_keys) != required_keys) return unusable();
  return count_elements(out);
}

}  // namespace

descriptor read_descriptor(std::span<const std::byte> bytes, std::uint64_t region, std::uint32_t max_depth,
                           failure& why) noexcept {
  descriptor out;
  why = read_entries(bytes, region, max_depth, out);
  return out;
}

failure read_payload_length(std::span<const std::byte> bytes, std::uint64_t region, std::uint64_t& out) noexcept {
  out = region;
  cbor_view::cursor s;
  if (!first(bytes, s) || !s.has_key) return unusable();
  std::optional<cbor_view> item;
  while (next(s)) {
    if (!text_equals(s.key.bytes_to_end(), "masks")) continue;
    if (item) return {.code = errc::duplicate_key, .found = offset_in(bytes, s.key)};
    item = s.value;
  }
  if (s.is_malformed) return {.code = errc::bad_cbor, .found = static_cast<std::uint64_t>(s.rest - bytes.data())};
  if (!item) return {};
  mask_array list{};
  decltype(descriptor::mask_count) count = 0;
  if (const failure why = read_masks(*item, region, list, count)) return with_offset(why, offset_in(bytes, *item));
  for (std::size_t i = 0; i < count; ++i) out = std::min(out, list[i].offset);
  return {};
}

}  // namespace tgmap::cbor
