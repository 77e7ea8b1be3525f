// SPDX-License-Identifier: Apache-2.0
// Cached positions of the sections and entries of a metadata frame, specification §5.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <tgmap/cbor_view.hpp>
#include <tgmap/error.hpp>
#include <vector>

#include "archive/lookup/path_cache.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Offsets of the sections in the body of a metadata frame; 0: absent.
struct section_offsets {
  std::uint64_t base = 0;  ///< array of maps, one for each object
  std::uint64_t extra = 0;
  std::uint64_t common = 0;  ///< shared by all objects, in 0.4 and 0.5
  std::uint64_t reserved = 0;
  std::uint16_t hidden_top = 0;    ///< hidden keys at top level
  std::uint16_t hidden_entry = 0;  ///< hidden keys in entries of `base`
  bool free_keys = false;          ///< top level has visible keys
};

/// An entry of `base`: its offset, and its kind, which must not be read again, because the file may have lost it.
struct entry_offset {
  std::uint64_t offset : 60;
  std::uint64_t type : 4;

  cbor_kind is() const noexcept { return static_cast<cbor_kind>(type); }
};

/// The checked metadata frame of a message with many objects: where everything is, or why the frame is refused.
struct metadata_record {
  failure refused{};
  section_offsets sections{};
  std::uint64_t count = 0;                           ///< number of base entries
  std::vector<entry_offset> list{};                  ///< the entries, as far as there are objects
  bool legacy_szip = false;                          ///< see wrote_legacy_szip; false in version 3
  std::unique_ptr<path_cache> wide_paths{};          ///< null if message-wide keys are small
  mutable std::atomic<bool> hash_is_checked{false};  ///< the hash of the frame was compared, and matches
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
