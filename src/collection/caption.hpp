// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tgmap/metadata.hpp>
#include <tgmap/object.hpp>

namespace tgmap::archives {

/// Names of a field from its metadata, short and safe to print, and as stored. Empty if the metadata has none.
struct caption {
  std::string name;                  ///< "2 metre temperature (2t)"
  std::string facts;                 ///< "step 84, level 850"
  std::string unit;                  ///< "K"
  std::string name_text, unit_text;  ///< as stored, for JSON

  /// Returns name and facts; `otherwise` replaces an empty name.
  std::string title(const std::string& otherwise) const;
};

/// Reads `long_name`, `name`, `mars.param`, `units`, `mars.step` and similar keys.
caption caption_of(const metadata&);

/// The same with the keys of an object; empty if they cannot be read.
caption caption_of(const object&);

}  // namespace tgmap::archives
