// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tgmap/tools/compare.hpp>

#include "reports/json.hpp"

namespace tgmap::reports {

/// Two messages or objects that were compared, with the names of their files. Lifetime: borrows the parts.
struct named_pair {
  const compared_part* left = nullptr;
  const compared_part* right = nullptr;   ///< one is null if only one archive has it
  std::string left_file{}, right_file{};  ///< for addresses
  std::string key{};                      ///< values of the matching keys; empty if matched by position

  /// Returns a copy of the part that is there, the left one if both are.
  compared_part any() const {
    if (left != nullptr) return *left;
    return right != nullptr ? *right : compared_part();
  }
};

/// Returns the address of the part, or of the object of it that differs. The pair must have that part.
std::string left_address(const named_pair&, const difference&);
std::string right_address(const named_pair&, const difference&);

/// The values of both sides as text, unescaped; empty for nothing. Values that look the same have their kind behind
/// them.
struct value_texts {
  explicit value_texts(const difference&);
  std::string left, right;
};

/// Returns an element with the fewest digits that identify it: "0.1", "1+2j".
std::string element_text(const element_value&);

/// Shortens a long path in the middle, since its last names distinguish it from others. Characters stay whole.
std::string shortened_path(const std::string& path, std::size_t max_bytes);

/// Returns a difference as docs/schema/diff.json describes it.
json to_json(const named_pair&, const difference&);

}  // namespace tgmap::reports
