// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tgmap/query/metadata_key.hpp>
#include <vector>

#include "query/number.hpp"
#include "query/number_steps.hpp"
#include "query/pattern.hpp"

namespace tgmap {

namespace query {

enum class comparison : std::uint8_t { equal, unequal, less, less_equal, greater, greater_equal, matches, exists };

/// A value as written. `number` is set if the text is a number without quotes; after `=` and `!=` only if it may be
/// printed in another way than it is written.
struct operand {
  std::string text{};
  std::optional<query::number> number{};
  std::string digits{};  ///< after `=` and `!=`: the digits of `number`, as they are printed
};

/// An `alternative` is one of the values between slashes: a value, or a range that includes both ends, of all values
/// between them or of numbers in steps.
struct alternative {
  operand from{};
  std::optional<operand> to{};
  bool is_quoted = false;  ///< `from` is in quotes
  std::string step{};      ///< as written
  std::optional<number_steps> steps{};
  std::vector<std::string> synonyms{};  ///< other texts that are equal to `from`
};

struct condition {
  metadata_key key{};
  comparison test = comparison::exists;
  std::vector<alternative> values{};  ///< one for orderings and patterns, none for `has`
  query::pattern pattern{};           ///< of `~`
};

enum class node_kind : std::uint8_t { condition, all_of, any_of, negation };

/// A `node` is a condition, or joins other nodes.
struct node {
  node_kind kind = node_kind::condition;
  query::condition condition{};
  std::vector<node> children{};  ///< none of a condition, one of a negation
};

/// Maximum nesting of parentheses and `not`.
inline constexpr unsigned max_selection_depth = 100;

/// Returns true if a condition holds for what was found. Errors: throws std::bad_alloc.
bool holds(const condition&, const key_result&);

/// Returns true if the selection matches. Returns false after a failure of the lookup.
/// Errors: those of key_lookup::find; throws std::bad_alloc.
bool matches(const node&, key_lookup&, failure&);

/// Appends the selection in the full syntax.
void print(const node&, std::string& out);

}  // namespace query

inline namespace v0 {
namespace detail {

struct selection_tree {
  query::node root{};
  bool is_of_messages = false;   ///< a message matches by a lookup of the message, not of its objects
  bool varies_by_object = true;  ///< objects of a message may differ in a key
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
