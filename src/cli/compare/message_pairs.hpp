// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <tgmap/archive.hpp>
#include <vector>

#include "cli/compare/difference.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/target.hpp"

namespace tgmap::cli {

/// One of the two archives to compare, with its selected messages or objects. The vectors have one element for each.
struct archive_side {
  target address;
  archive opened{};                 ///< empty if the archive could not be read, which was reported
  std::vector<message> messages{};  ///< repeated for each of its objects
  std::vector<std::optional<std::size_t>> objects{};
  std::vector<std::string> keys{};    ///< values of the matching keys, for messages
  std::vector<std::string> values{};  ///< the same, for matching
};

/// Reads one side. `by` are the keys for matching. Errors: throws usage_error.
archive_side read_side(const std::string& address, const selection_options&, const std::vector<metadata_key>& by,
                       session&);

/// Pairs the first with the first, the second with the second, and so on. Lifetime: borrows from both sides.
std::vector<message_pair> pair_by_position(const archive_side& left, const archive_side& right);

/// Pairs elements with equal values, in order if there are several. The rest of the right side comes last. Lifetime:
/// borrows from both sides.
std::vector<message_pair> pair_by_keys(const archive_side& left, const archive_side& right);

}  // namespace tgmap::cli
