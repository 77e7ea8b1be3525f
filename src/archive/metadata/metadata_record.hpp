// SPDX-License-Identifier: Apache-2.0
// Where the sections and entries of a checked metadata frame begin, specification §5.
#pragma once

#include <cstdint>
#include <memory>
#include <tgmap/cbor_view.hpp>
#include <tgmap/error.hpp>
#include <vector>

#include "archive/metadata/path_cache.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Where the sections of a metadata frame begin, in its body; 0: not there.
struct section_offsets {
  std::uint64_t base = 0;  ///< array of maps, one an object
  std::uint64_t extra = 0;
  std::uint64_t common = 0;  ///< holds for every object, 0.4 and 0.5
  std::uint64_t reserved = 0;
  std::uint16_t hidden_top = 0;    ///< for the free keys at top level
  std::uint16_t hidden_entry = 0;  ///< for entries of `base`
  bool free_keys = false;          ///< there are keys at top level that are shown
};

/// An entry of `base`: where it begins, and its kind, which is not looked up again where the file may have gone.
struct entry_offset {
  std::uint64_t at : 60;
  std::uint64_t type : 4;

  cbor_kind is() const noexcept { return static_cast<cbor_kind>(type); }
};

/// Remembers the checked metadata frame of a message with many objects: where everything is, or why it is refused.
struct metadata_record {
  failure refused{};
  section_offsets sections{};
  std::uint64_t count = 0;                   ///< of base entries
  std::vector<entry_offset> list{};          ///< of them, as far as there are objects
  bool legacy_szip = false;                  ///< see wrote_legacy_szip; false in version 3
  std::unique_ptr<path_cache> wide_paths{};  ///< where message-wide keys are worth it
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
