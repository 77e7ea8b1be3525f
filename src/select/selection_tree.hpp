// SPDX-License-Identifier: Apache-2.0
// A compiled selection.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tgmap/query/metadata_key.hpp>
#include <vector>

#include "select/number.hpp"
#include "select/pattern.hpp"

namespace tgmap {

namespace select {

enum class relation : std::uint8_t { equal, unequal, less, less_equal, greater, greater_equal, matches, has };

/// A value as written. Ranges and orderings have a number when it is one and was not in quotes.
struct operand {
  std::string text{};
  std::optional<number> numeric{};
};

/// One of the values between slashes: itself, or a range up to another, both ends included.
struct choice {
  operand from{};
  std::optional<operand> to{};
};

struct condition {
  tgmap::metadata_key key{};
  relation is = relation::has;
  std::vector<choice> values{};  ///< one for orderings and patterns, none for `has`
  select::pattern pattern{};     ///< of `matches`
};

/// A condition, or what joins others.
struct node {
  enum class joint : std::uint8_t { none, all, any, negation };
  joint how = joint::none;
  condition test{};           ///< of none
  std::vector<node> parts{};  ///< of the others; one of negation
};

/// Parentheses and negations inside each other.
inline constexpr unsigned max_selection_depth = 100;

/// Returns true if the selection matches. Throws std::bad_alloc; a failure of the scope ends it with false.
bool holds(const node&, key_lookup&, failure&);

/// In the full grammar.
void print(const node&, std::string& out);

}  // namespace select

inline namespace v0 {
namespace detail {

struct where_tree {
  select::node root;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
