// SPDX-License-Identifier: Apache-2.0
// What is compared: messages of two archives, or objects of them, and which of them are held against each other.
#pragma once

#include <optional>
#include <string>
#include <tgmap/archive.hpp>
#include <vector>

#include "cli/compare/difference.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/target.hpp"

namespace tgmap::cli {

/// What is selected of one archive, and what it is looked for by.
struct side {
  target from;
  archive in{};                     ///< empty: it could not be gone through, which is told
  std::vector<message> messages{};  ///< of each object its own, again and again
  std::vector<std::optional<std::size_t>> objects{};
  std::vector<std::string> keys{};    ///< their values for people
  std::vector<std::string> values{};  ///< the same: what is equal belongs together
};

/// Throws usage_error.
side side_of(const std::string& address, const selection_options&, const std::vector<metadata_key>& by, session&);

/// The first with the first, the second with the second; pointers into both sides.
std::vector<message_pair> pairs_by_place(const side& left, const side& right);

/// Those with the same values, the first with the first where there are several; what is left over, behind them.
std::vector<message_pair> pairs_by_keys(const side& left, const side& right);

}  // namespace tgmap::cli
