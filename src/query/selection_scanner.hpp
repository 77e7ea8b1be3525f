// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <tgmap/error.hpp>
#include <tgmap/query/selection.hpp>

#include "query/selection_tree.hpp"

namespace tgmap::query {

/// A `selection_scanner` reads keys, operators and values from the text of a selection. It keeps the first error;
/// everything read after it is meaningless.
class selection_scanner {
 public:
  explicit selection_scanner(std::string_view text) noexcept : text_(text) {}

  const failure& error() const noexcept { return error_; }
  void fail(selection_error, std::size_t at) noexcept;

  std::size_t at() const noexcept { return at_; }
  bool at_end() const noexcept { return at_ == text_.size(); }
  void skip_blanks() noexcept;

  /// Reads this character if it is next.
  bool take(char) noexcept;
  /// Reads this reserved word if it is next, as a whole word.
  bool take_word(std::string_view) noexcept;
  /// Reads "and", or, if a condition follows it, "AND" in any case, "&&" or a comma; else these are text.
  bool take_and() noexcept;
  /// Reads "or", or "OR" in any case or "||" if a condition follows it.
  bool take_or() noexcept;
  /// Reads "not", or "NOT" in any case or "!" if a condition follows it.
  bool take_not() noexcept;
  /// Reads "has", or "HAS" in any case if no operator follows the word after it.
  bool take_has() noexcept;

  metadata_key take_key();
  comparison take_operator() noexcept;
  /// Reads the values for `condition.test`: alternatives between slashes, one value, a pattern, or nothing.
  void take_values(condition&);

 private:
  char peek(std::size_t ahead = 0) const noexcept { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool word_at(std::size_t, std::string_view) const noexcept;
  bool word_in_any_case_at(std::size_t, std::string_view) const noexcept;
  bool any_word_at(std::size_t) const noexcept;
  bool condition_at(std::size_t) const noexcept;
  /// Returns the size of the conjunction at this position, in any spelling but the comma, or 0.
  std::size_t and_at(std::size_t) const noexcept;
  std::size_t or_at(std::size_t) const noexcept;
  /// Returns true if a conjunction ends the key or value before this position.
  bool ends_text(std::size_t) const noexcept;
  std::size_t skip_blanks_from(std::size_t) const noexcept;
  /// Returns the position after the quote that closes the one at this position, or npos.
  std::size_t find_quoted_end(std::size_t) const noexcept;

  bool continues_operator(std::size_t) const noexcept;

  std::string take_quoted();
  std::string_view take_unquoted();
  operand take_range_end();
  void check_numbers(const condition&, std::size_t begin) noexcept;
  alternative take_alternative();
  std::string take_pattern();
  void compile_pattern(condition&, std::size_t begin, bool quoted);

  std::string_view text_;
  std::size_t at_ = 0;
  bool trims_values_ = false;  ///< a blank precedes the operator, so that blanks around values do not count
  failure error_{};
};

}  // namespace tgmap::query
