// SPDX-License-Identifier: Apache-2.0
// Reads the metadata of common messages in one pass over the frame.
#pragma once

#include <cstddef>
#include <span>

#include "archive/lookup/common_message.hpp"
#include "archive/lookup/object_cache.hpp"
#include "archive/metadata/metadata_sections.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Fast path: reads the sections from the metadata frame that `header` holds, and caches their places. Returns false
/// for other metadata; the caller then uses read_sections. Bar and factor: see first_metadata in common_message.hpp.
bool read_common_sections(const archive_state&, const message_position&, const common_header&, std::uint64_t wanted,
                          metadata_sections&, failure&) noexcept;

/// Finds the places of the sections of version 3 in the flat map at the start of `body`, which must be in memory, and
/// of the entry of object `wanted`. `objects`: number of objects of the message. Returns false for any other form.
bool find_common_places(const archive_state&, std::uint64_t objects, std::span<const std::byte> body,
                        std::uint64_t wanted, object_cache::metadata_places&) noexcept;

/// Returns the sections at known places of a body.
inline metadata_sections common_sections_of(std::span<const std::byte> body,
                                            const object_cache::metadata_places& places) noexcept {
  metadata_sections out;
  out.hidden_top = hide_sections;
  out.extra = item_at(body, places.extra);
  out.reserved = item_at(body, places.reserved);
  out.entry = item_at(body, places.entry);
  if (places.free_keys) out.top = cbor_view(body);
  return out;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
