// SPDX-License-Identifier: Apache-2.0
// Reads the sections of a metadata frame in all dialects, specification §5.
#pragma once

#include <cstdint>
#include <string_view>
#include <tgmap/message.hpp>
#include <tgmap/metadata.hpp>

#include "archive/lookup/common_message.hpp"
#include "archive/lookup/find_objects.hpp"
#include "archive/lookup/metadata_record.hpp"
#include "archive/metadata/metadata_snapshot.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// The keys that a layer of metadata hides.
enum hidden_keys : std::uint16_t {
  hide_nothing = 0,
  hide_version = 1u << 0,       ///< `version`, in version 2
  hide_sections = 1u << 1,      ///< `base`, `_extra_`, `_reserved_`
  hide_old_reserved = 1u << 2,  ///< `reserved`, before 0.6
  hide_old_payload = 1u << 3,   ///< `payload` and `common`, 0.4 and 0.5
  hide_tensor = 1u << 4,        ///< `ndim`, `shape`, `strides`, `dtype` in entries of 0.4 and 0.5, as in the descriptor
  hide_provenance = 1u << 5,    ///< `_reserved_` in entries
};

/// Checks if a layer that hides `hidden` hides `key`.
bool hides(std::uint16_t hidden, std::string_view key) noexcept;

/// A `metadata_sections` is the sections of a metadata frame. An absent section is null.
struct metadata_sections {
  cbor_view top, extra, common, reserved;
  cbor_view entry;  ///< of `base`, for object `wanted`
  std::uint16_t hidden_top = 0, hidden_entry = 0;
  path_cache* wide_paths = nullptr;  ///< cache for `extra`, `common` and `top`, for messages of many objects
};

/// Loads the body of a metadata, hash or preceder frame and checks all of it.
/// Errors: metadata_limit, bad_cbor, cbor_too_deep, those of metadata_snapshot::load.
failure load_body(const archive_state&, const message_position&, const frame_place&, metadata_snapshot&) noexcept;

/// Reads the sections of a message, and the entry of object `wanted` unless that is object_sink::none.
/// Errors: no_metadata, base_count_mismatch, wrong_kind, those of load_body.
/// Complexity: O(bytes of the frame), O(1) if the message has a metadata_record.
failure read_sections(const archive_state&, const message_position&, const message_structure&, std::uint64_t wanted,
                      metadata_sections&) noexcept;

/// Returns the sections of a message without preceders from the cache, without reading the file. Returns false if
/// nothing is cached.
bool cached_sections(const archive_state&, const message_position&, std::uint64_t wanted, metadata_sections&,
                     failure&) noexcept;

/// Reads the entry of a preceder frame (§5.4). Errors: bad_preceder, wrong_kind, those of load_body.
failure preceder_entry(const archive_state&, const message_position&, std::uint64_t at, cbor_view& out) noexcept;

/// Checks if the encoder of a message of version 1 or 2 wrote legacy szip; see wrote_legacy_szip.
/// Errors: those of read_sections.
failure read_szip_writer(const archive_state&, const message_position&, const message_structure&,
                         bool& legacy) noexcept;

/// Returns the item at an offset of a body; null for offset 0, which stands for an absent item.
inline cbor_view item_at(std::span<const std::byte> body, std::uint64_t at) noexcept {
  return at == 0 || at >= body.size() ? cbor_view() : cbor_view(body.subspan(static_cast<std::size_t>(at)));
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
