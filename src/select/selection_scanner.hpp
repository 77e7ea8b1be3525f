// SPDX-License-Identifier: Apache-2.0
// The text of a selection, taken piece by piece: keys, operators, values.
#pragma once

#include <string>
#include <string_view>
#include <tgmap/error.hpp>
#include <tgmap/query/selection.hpp>

#include "select/selection_tree.hpp"

namespace tgmap::select {

/// Where the reading stands. The first fault is kept, and nothing that is read after it counts.
class selection_scanner {
 public:
  explicit selection_scanner(std::string_view text) noexcept : text_(text) {}

  const failure& fault() const noexcept { return why_; }
  void fail(selection_error, std::size_t at) noexcept;

  std::size_t at() const noexcept { return at_; }
  bool at_end() const noexcept { return at_ == text_.size(); }
  void skip_blanks() noexcept;

  /// Takes that character if it comes next.
  bool take(char) noexcept;
  /// Takes that reserved word if it comes next, as a whole word.
  bool take_word(std::string_view) noexcept;
  /// Takes a comma if a condition begins behind it, else it is text.
  bool take_comma() noexcept;

  metadata_key take_key();
  relation take_operator() noexcept;
  /// Reads the operand of `relation`: values between slashes, one value, a pattern, or nothing.
  void take_values(condition& of);

 private:
  char peek(std::size_t ahead = 0) const noexcept { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool word_at(std::size_t, std::string_view) const noexcept;
  bool any_word_at(std::size_t) const noexcept;
  bool condition_at(std::size_t) const noexcept;
  std::size_t behind_blanks(std::size_t) const noexcept;
  /// Behind the quote that closes the one at that place; npos: none does.
  std::size_t behind_quote(std::size_t) const noexcept;

  std::string take_quoted();
  std::string_view take_bare();
  operand take_end();
  choice take_choice();
  std::string take_pattern();
  void compile_pattern(condition& of, std::size_t begin, bool quoted);

  std::string_view text_;
  std::size_t at_ = 0;
  bool spaced_ = false;  ///< a blank stands before the operator: blanks at the ends of values do not count
  failure why_{};
};

}  // namespace tgmap::select
