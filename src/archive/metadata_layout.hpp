// SPDX-License-Identifier: Apache-2.0
// The sections of a metadata frame in all dialects, specification §5.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tgmap/message.hpp>
#include <tgmap/metadata.hpp>
#include <vector>

#include "archive/common_header.hpp"
#include "archive/entry_places.hpp"
#include "archive/find_objects.hpp"
#include "archive/structure_copy.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

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

/// Loads the body of a metadata, hash or preceder frame and checks it whole.
/// Errors: metadata_limit, bad_cbor, cbor_too_deep, those of structure_copy::load.
failure load_body(const archive_state&, const message_position&, const frame_place&, structure_copy&) noexcept;

/// A metadata frame taken apart; values that are not there are null.
struct metadata_sections {
  cbor_view top, extra, common, reserved;
  cbor_view entry;  ///< of `base`, for the object asked for
  std::uint16_t hidden_top = 0, hidden_entry = 0;
  path_cache* wide_paths = nullptr;  ///< of a message of many objects, for `extra`, `common` and `top`
};

/// Reads the effective metadata frame of a message, and from its base the entry of object `wanted` unless that is
/// object_sink::none. O(bytes of it); O(1) for what is kept.
/// Errors: no_metadata, base_count, wrong_kind, those of load_body.
failure read_sections(const archive_state&, const message_position&, const message_structure&, std::uint64_t wanted,
                      metadata_sections&) noexcept;

/// The same from what is remembered of a message without preceders, without a look at its bytes. False: nothing is.
bool recall_sections(const archive_state&, const message_position&, std::uint64_t wanted, metadata_sections&,
                     failure&) noexcept;

/// The same from the metadata frame that a header was found to hold, if everything in it is in the usual form; then it
/// is remembered. False: that is to be read with more care.
bool read_usual_sections(const archive_state&, const message_position&, const common_header&, std::uint64_t wanted,
                         metadata_sections&, failure&) noexcept;

/// Finds out if the encoder named in the metadata of a message of version 1 or 2 wrote legacy szip. Reads a copy of
/// the metadata, or at what is kept. Errors: those of read_sections.
failure read_szip_writer(const archive_state&, const message_position&, const message_structure&,
                         bool& legacy) noexcept;

/// Checks if an encoder took the flags of szip descriptors as they are (§7.4): the reference before its release 0.7.0,
/// or one that does not say who it was.
bool wrote_legacy_szip(const std::optional<std::string>& encoder, const std::optional<std::string>& release) noexcept;

/// The same of a `_reserved_` map, which must not lie in a mapping. Throws std::bad_alloc.
bool wrote_legacy_szip(const cbor_view& reserved);

/// The one entry of a preceder frame (§5.4). Errors: bad_preceder, wrong_kind, those of load_body.
failure preceder_entry(const archive_state&, const message_position&, std::uint64_t at, cbor_view& out) noexcept;

/// Builds metadata out of layers, innermost first: maps, or values that lie nowhere.
struct metadata_access {
  static void add(metadata& to, const cbor_view& map, std::uint16_t hidden, bool shadows_next = false) noexcept {
    if (map.bytes_to_end().empty() || to.count_ == metadata::max_layers) return;
    to.layers_[to.count_++] = {map, hidden, shadows_next};
  }

  static constexpr std::size_t most_layers = metadata::max_layers;
  static std::size_t layers(const metadata& of) noexcept { return of.count_; }

  /// Puts a copy in the place of a layer's map. Nothing remembered counts then: it lies where the map did.
  static void replace_map(metadata& of, std::size_t i, const cbor_view& copy) noexcept {
    of.layers_[i].map = copy;
    of.wide_paths_ = nullptr;
  }
  static const cbor_view& map_of_layer(const metadata& of, std::size_t i) noexcept { return of.layers_[i].map; }

  /// Where all that is visible lies, when that is one map of which no more is hidden than `_reserved_`; else nothing.
  static std::optional<cbor_view> only_map(const metadata& of) noexcept {
    const bool one = of.count_ == 1 && (of.layers_[0].hidden & ~hide_provenance) == 0;
    return one ? std::optional(of.layers_[0].map) : std::nullopt;
  }
  static bool shows_provenance(const metadata& of) noexcept { return (of.layers_[0].hidden & hide_provenance) == 0; }

  /// Extra, common and free keys.
  static void add_message_wide(metadata& to, const metadata_sections& from) noexcept {
    to.wide_from_ = to.count_;
    to.wide_paths_ = from.wide_paths;
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
