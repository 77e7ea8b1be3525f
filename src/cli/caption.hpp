// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tgmap/metadata.hpp>

namespace tgmap::cli {

/// What metadata calls a field, short and safe to print, and as the file has it; empty where it says nothing.
struct caption {
  std::string name;                  ///< "2 metre temperature (2t)"
  std::string facts;                 ///< "step 84, level 850"
  std::string unit;                  ///< "K"
  std::string name_text, unit_text;  ///< as they are: for JSON

  /// Name and facts; `otherwise` in place of a name that is not known.
  std::string title(const std::string& otherwise) const;
};

/// Looks for `long_name`, `name`, `mars.param`, `units`, `mars.step` and their like.
caption caption_of(const metadata&);

}  // namespace tgmap::cli
