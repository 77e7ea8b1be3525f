// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tgmap/metadata.hpp>

namespace tgmap::cli {

/// What metadata calls a field, safe to print; empty where it says nothing.
struct caption {
  std::string name;   ///< "2 metre temperature (2t)"
  std::string facts;  ///< "step 84, level 850"
  std::string unit;   ///< "K"

  /// Name and facts; `otherwise` in place of a name that is not known.
  std::string title(const std::string& otherwise) const;
};

/// Looks for `long_name`, `name`, `mars.param`, `units`, `mars.step` and their like.
caption caption_of(const metadata&);

}  // namespace tgmap::cli
