// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <tgmap/archive.hpp>
#include <vector>

#include "cli/print/difference.hpp"
#include "edit/compare/metadata_comparison.hpp"

namespace tgmap::cli {

struct comparison_options {
  tolerance within{};
  ignored_keys ignored{};
  bool values = true;                    ///< compare elements, too
  std::uint64_t max_shown = UINT64_MAX;  ///< differences to keep for one pair; the others are only counted
};

/// The result for one pair.
struct comparison_result {
  struct read_failure {
    bool right = false;                   ///< in the second archive
    std::optional<std::size_t> object{};  ///< nothing for parts of the message itself
    failure why{};
  };
  difference_list differences{UINT64_MAX};
  std::vector<read_failure> failures{};  ///< parts that could not be compared
};

/// Compares two messages of two archives. Compares their bytes first and decodes objects only if the bytes differ, two
/// objects at a time. Files that shrink meanwhile cause no signal. Errors: throws std::bad_alloc.
comparison_result compare_messages(const archive& left_archive, const message& left, const archive& right_archive,
                                   const message& right, const comparison_options&);

/// Compares one object of each message: its own keys, dtype, shape and elements. Otherwise like compare_messages.
comparison_result compare_objects(const archive& left_archive, const message& left, std::size_t left_object,
                                  const archive& right_archive, const message& right, std::size_t right_object,
                                  const comparison_options&);

}  // namespace tgmap::cli
