// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/selection.hpp"

namespace tgmap::cli {

struct key_listing {
  std::string keys;
  bool json = false;
  bool typed = false;  ///< JSON as the metadata has it, instead of text
};

/// `ls -p`: a row of values for each message, or object, that is selected. To a pipe as the reference implementation
/// prints them, with tabs below one header; aligned at a terminal.
void list_keys(const std::vector<target>&, const key_listing&, const selection_options&, session&);

}  // namespace tgmap::cli
