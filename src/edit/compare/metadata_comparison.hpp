// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <tgmap/metadata.hpp>
#include <tgmap/tools/compare.hpp>

#include "edit/compare/difference_list.hpp"

namespace tgmap::edit {

/// The keys that are compared: those of two messages or of two objects.
struct compared_keys {
  const metadata &left, &right;
  std::string parent{};  ///< path of the enclosing map, unless empty
  optional_index left_object{}, right_object{};
};

/// Adds the differences between two sets of keys, including nested maps, by the rules of tgmap::compare. Errors: throws
/// std::bad_alloc.
void compare_metadata(const compared_keys&, std::span<const std::string> ignored, difference_list& into);

}  // namespace tgmap::edit
