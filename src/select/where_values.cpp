// SPDX-License-Identifier: Apache-2.0
// What stands behind an operator.
#include "core/text/trim.hpp"
#include "select/where_text.hpp"
#include "select/words.hpp"

namespace tgmap::select {

namespace {

/// Where the dots of a range lie in a bare value; npos when it is one value.
std::size_t dots_of(std::string_view text) noexcept {
  const std::size_t dots = text.find("..");
  const bool one = dots != text.npos && text.find("..", dots + 1) == text.npos;
  return one && dots != 0 && dots + 2 != text.size() ? dots : text.npos;
}

operand bare_operand(std::string_view text) {
  text = core::trimmed(text);
  return {std::string(text), read_number(text)};
}

}  // namespace

/// A value up to what ends it. Blanks at its ends are left out where they only set off signs and words.
std::string_view where_text::take_bare() {
  const std::size_t begin = at_;
  for (; !at_end(); ++at_) {
    const char c = peek();
    if (c == ')' || c == '/' || (c == ',' && condition_at(at_ + 1))) break;
    if (c == '.' && at_ != begin && peek(1) == '.' && is_quote(peek(2))) break;  // the other end is in quotes
    const bool may_be_word = at_ == begin || is_blank(text_[at_ - 1]);
    const bool joins = may_be_word && (word_at(at_, "and") || word_at(at_, "or"));
    if (joins && behind_blanks(begin) < at_) break;
    if (c == '(' || (may_be_word && any_word_at(at_))) {
      fail(selection_error::reserved_word, at_);
      break;
    }
  }
  const std::string_view all = text_.substr(begin, at_ - begin), core = core::trimmed(all);
  if (spaced_ || dots_of(core) != core.npos) return core;
  const bool counts_behind = at_end() || peek() == '/';
  return counts_behind ? all : all.substr(0, static_cast<std::size_t>(core.data() + core.size() - all.data()));
}

/// The other end of a range.
operand where_text::take_end() {
  skip_blanks();
  if (is_quote(peek())) return {take_quoted(), std::nullopt};
  return bare_operand(take_bare());
}

choice where_text::take_choice() {
  if (spaced_ || is_quote(peek(behind_blanks(at_) - at_))) skip_blanks();
  choice out;
  if (is_quote(peek())) {
    out.from.text = take_quoted();
    skip_blanks();
  } else {
    const std::string_view text = take_bare();
    const std::size_t dots = dots_of(text);
    if (dots != text.npos) {
      out.from = bare_operand(text.substr(0, dots));
      out.to = bare_operand(text.substr(dots + 2));
      return out;
    }
    const bool range = peek() == '.' && peek(1) == '.';
    out.from = {std::string(range ? core::trimmed(text) : text), read_number(core::trimmed(text))};
  }
  if (peek() != '.' || peek(1) != '.') return out;
  at_ += 2;
  const std::size_t begin = at_;
  out.to = take_end();
  if (at_ == begin) fail(selection_error::missing_value, begin);
  return out;
}

std::string where_text::take_pattern() {
  if (is_quote(peek())) return take_quoted();
  const std::size_t begin = at_;
  std::vector<std::size_t> open;
  for (; !at_end(); ++at_) {
    const char c = peek();
    if (c == '\\' && at_ + 1 < text_.size()) {
      ++at_;
      continue;
    }
    if (c == '(') open.push_back(at_);
    if (c == ')' && open.empty()) break;
    if (c == ')') open.pop_back();
    if (!open.empty()) continue;
    if (c == ',' && condition_at(at_ + 1)) break;
    const bool may_be_word = at_ == begin || is_blank(text_[at_ - 1]);
    if (may_be_word && at_ != begin && (word_at(at_, "and") || word_at(at_, "or"))) break;
    if (may_be_word && any_word_at(at_)) fail(selection_error::reserved_word, at_);
  }
  if (!open.empty()) fail(selection_error::unclosed_parenthesis, open.back());
  return std::string(core::trimmed(text_.substr(begin, at_ - begin)));
}

void where_text::take_values(condition& of) {
  if (of.is == relation::has) return;
  const bool lists = of.is == relation::equal || of.is == relation::unequal;
  if (!lists) {
    skip_blanks();
    spaced_ = true;
  }
  const std::size_t begin = at_;
  const bool quoted = is_quote(peek());
  if (of.is == relation::matches) {
    of.values.push_back({{take_pattern(), std::nullopt}, std::nullopt});
    compile_pattern(of, begin, quoted);
  } else if (lists) {
    do {
      choice c = take_choice();
      if (!c.to) c.from.numeric.reset();  // compared as text
      of.values.push_back(std::move(c));
    } while (take('/'));
  } else {
    choice one = take_choice();
    if (one.from.text.empty() && !quoted) fail(selection_error::missing_value, begin);
    if (one.to || peek() == '/') fail(selection_error::trailing_text, one.to ? begin : at_);
    of.values.push_back(std::move(one));
  }
}

void where_text::compile_pattern(condition& of, std::size_t begin, bool quoted) {
  const std::string& text = of.values.front().from.text;
  if (text.empty() && !quoted) fail(selection_error::missing_value, begin);
  if (!pattern::available()) fail(selection_error::unsupported_pattern, begin);
  if (fault()) return;
  of.pattern = pattern::compile(text);
  if (!of.pattern) fail(selection_error::bad_pattern, begin);
}

}  // namespace tgmap::select
