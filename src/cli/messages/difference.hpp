// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tgmap/tools/compare.hpp>

#include "cli/print/json.hpp"

namespace tgmap::cli {

/// Two messages or objects that were compared. One is null if only one archive has it.
struct printed_pair {
  const compared_part *left = nullptr, *right = nullptr;
  std::string left_file{}, right_file{};  ///< for addresses
  std::string key{};                      ///< values of the matching keys; empty if matched by position
};

std::string as_text(const printed_pair&, const difference&);  ///< one line without a line break
json as_json(const printed_pair&, const difference&);

}  // namespace tgmap::cli
