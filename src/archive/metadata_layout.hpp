// SPDX-License-Identifier: Apache-2.0
// The sections of a metadata frame in all dialects, specification §5.
#pragma once

#include <cstdint>
#include <tgmap/message.hpp>
#include <tgmap/metadata.hpp>
#include <vector>

#include "archive/layout.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Where the base entries of a message of many objects begin, in the body of its metadata frame. That this is kept
/// also says that the frame has been checked whole.
struct entry_places {
  std::vector<std::uint64_t> list;
};

/// Keys that a layer does not show.
enum hidden_keys : std::uint16_t {
  hide_nothing = 0,
  hide_version = 1u << 0,       ///< `version`, in version 2
  hide_sections = 1u << 1,      ///< `base`, `_extra_`, `_reserved_`
  hide_old_reserved = 1u << 2,  ///< `reserved`, before 0.6
  hide_old_payload = 1u << 3,   ///< `payload` and `common`, 0.4 and 0.5
  hide_tensor = 1u << 4,      ///< `ndim`, `shape`, `strides`, `dtype` in entries of 0.4 and 0.5: the descriptor says it
  hide_provenance = 1u << 5,  ///< `_reserved_` in entries
};

/// A metadata frame taken apart; values that are not there are null.
struct metadata_sections {
  value top;
  value base;  ///< array of maps, one an object
  value extra;
  value common;  ///< holds for every object, 0.4 and 0.5
  value reserved;
  std::uint16_t hidden_top = 0;    ///< for the free keys at top level
  std::uint16_t hidden_entry = 0;  ///< for entries of `base`
  std::uint64_t body = 0;          ///< archive offset of the frame's body
};

/// The body of a metadata, hash or preceder frame: bounded, and unless that was done before checked whole.
/// Errors: metadata_limit, bad_cbor, cbor_too_deep, I/O.
failure read_body(const archive_state&, const message_position&, const frame_place&, bool checked,
                  std::span<const std::byte>& out) noexcept;

/// Reads the effective metadata frame of a message. O(bytes of it).
/// Errors: no_metadata, metadata_limit, bad_cbor, cbor_too_deep, wrong_kind, I/O.
failure read_sections(const archive_state&, const message_position&, const message_structure&,
                      metadata_sections&) noexcept;

/// The base entry of object `j`; null when there are fewer. Errors: base_count, wrong_kind, out_of_memory is none.
failure base_entry(const archive_state&, const message_position&, const metadata_sections&, std::uint64_t j,
                   std::uint64_t objects, value& out) noexcept;

/// The one entry of a preceder frame (§5.4). Errors: bad_preceder, those of read_sections.
failure preceder_entry(const archive_state&, const message_position&, std::uint64_t at, value& out) noexcept;

/// Builds metadata out of layers, innermost first.
struct metadata_access {
  static void add(metadata& to, const value& map, std::uint16_t hidden, bool shadows_next = false) noexcept {
    if (map.type() != kind::map || to.count_ == metadata::max_layers) return;
    to.layers_[to.count_++] = {map, hidden, shadows_next};
  }

  /// Extra, common and free keys.
  static void add_message_wide(metadata& to, const metadata_sections& from) noexcept {
    add(to, from.extra, hide_nothing);
    add(to, from.common, hide_nothing);
    add(to, from.top, from.hidden_top);
  }
};

/// Whether a layer hides the text key that `key` holds.
bool hides(std::uint16_t hidden, std::string_view key) noexcept;

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
