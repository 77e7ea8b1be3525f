// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tgmap/export.hpp>
#include <tgmap/metadata.hpp>
#include <tgmap/object.hpp>

namespace tgmap {
inline namespace v0 {

/// A `caption` has the names of a field, for lists and pictures. Empty text: the metadata does not say.
struct TGMAP_API caption {
  std::string name{};       ///< "2 metre temperature (2t)"; short, and safe to print
  std::string facts{};      ///< "step 84, level 850"; short, and safe to print
  std::string unit{};       ///< "K"; short, and safe to print
  std::string name_text{};  ///< the name as stored, of any length
  std::string unit_text{};  ///< the unit as stored, of any length

  /// Returns name and facts; `otherwise` replaces an empty name. Errors: throws std::bad_alloc.
  std::string title(const std::string& otherwise) const;
};

/// Returns the caption of an object or a message: from `long_name`, `standard_name`, `name`, `mars.param`, `shortName`;
/// `mars.date`, `mars.time`, `mars.step`, `mars.levelist`, `mars.number`; `units`, and keys that other tools write for
/// them. Errors: throws std::bad_alloc.
/// Complexity: O(bytes of the metadata).
/// Thread safety: any thread.
[[nodiscard]] TGMAP_API caption caption_of(const metadata&);

/// Returns the same for the metadata of an object; empty if it cannot be read.
[[nodiscard]] TGMAP_API caption caption_of(const object&);

}  // namespace v0
}  // namespace tgmap
