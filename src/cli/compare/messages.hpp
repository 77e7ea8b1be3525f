// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <tgmap/archive.hpp>
#include <vector>

#include "cli/compare/difference.hpp"
#include "cli/compare/keys.hpp"

namespace tgmap::cli {

/// What counts as a difference.
struct comparison {
  tolerance within{};
  ignored_keys ignored{};
  bool values = true;                     ///< elements are compared; else what describes them alone
  std::uint64_t most_shown = UINT64_MAX;  ///< differences of one pair that are kept; the others are counted
};

/// What came of two messages.
struct comparison_outcome {
  struct unread {
    bool right = false;                   ///< of the second archive
    std::optional<std::size_t> object{};  ///< of that archive's message; none: what belongs to the message itself
    failure why{};
  };
  difference_list differences{UINT64_MAX};
  std::vector<unread> failures{};  ///< what could not be compared
};

/// Compares two messages of two archives. Equal bytes are compared where they lie in the files and not looked into;
/// else objects are decoded, two at a time. Never a signal. Throws std::bad_alloc.
comparison_outcome compare_messages(const archive& left_archive, const message& left, const archive& right_archive,
                                    const message& right, const comparison&);

/// Compares an object of each: keys of its own, dtype, shape, elements. As compare_messages in all else.
comparison_outcome compare_objects(const archive& left_archive, const message& left, std::size_t left_object,
                                   const archive& right_archive, const message& right, std::size_t right_object,
                                   const comparison&);

}  // namespace tgmap::cli
