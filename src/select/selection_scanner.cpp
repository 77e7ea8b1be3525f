// SPDX-License-Identifier: Apache-2.0
#include "select/selection_scanner.hpp"

#include "core/text/trim.hpp"
#include "select/selection_words.hpp"

namespace tgmap::select {

void selection_scanner::fail(selection_error fault, std::size_t at) noexcept {
  if (!why_) why_ = {.code = errc::bad_selection, .expected = static_cast<std::uint64_t>(fault), .found = at + 1};
}

std::size_t selection_scanner::behind_blanks(std::size_t at) const noexcept {
  while (at < text_.size() && is_blank(text_[at])) ++at;
  return at;
}

void selection_scanner::skip_blanks() noexcept { at_ = behind_blanks(at_); }

bool selection_scanner::take(char wanted) noexcept {
  if (at_end() || text_[at_] != wanted) return false;
  ++at_;
  return true;
}

bool selection_scanner::word_at(std::size_t at, std::string_view word) const noexcept {
  if (!text_.substr(at).starts_with(word)) return false;
  const std::size_t end = at + word.size();
  return end == text_.size() || is_blank(text_[end]) || text_[end] == '(' || text_[end] == ')';
}

bool selection_scanner::any_word_at(std::size_t at) const noexcept {
  for (const std::string_view word : reserved_words)
    if (word_at(at, word)) return true;
  return false;
}

bool selection_scanner::take_word(std::string_view word) noexcept {
  if (!word_at(at_, word)) return false;
  at_ += word.size();
  return true;
}

std::size_t selection_scanner::behind_quote(std::size_t at) const noexcept {
  const char quote = text_[at];
  for (++at; at < text_.size(); ++at) {
    if (text_[at] != quote) continue;
    if (at + 1 == text_.size() || text_[at + 1] != quote) return at + 1;
    ++at;  // doubled: the quote itself
  }
  return text_.npos;
}

bool selection_scanner::condition_at(std::size_t at) const noexcept {
  at = behind_blanks(at);
  if (at == text_.size()) return false;
  if (text_[at] == '(' || word_at(at, "not") || word_at(at, "has")) return true;
  std::size_t end = at;
  if (is_quote(text_[at])) {
    end = behind_quote(at);
  } else {
    while (end < text_.size() && !is_blank(text_[end]) && !is_operator_at(text_, end) &&
           std::string_view("(),/\"'").find(text_[end]) == std::string_view::npos)
      ++end;
  }
  return end != text_.npos && end != at && is_operator_at(text_, behind_blanks(end));
}

bool selection_scanner::take_comma() noexcept {
  if (peek() != ',' || !condition_at(at_ + 1)) return false;
  ++at_;
  return true;
}

std::string selection_scanner::take_quoted() {
  const std::size_t begin = at_, end = behind_quote(at_);
  if (end == text_.npos) {
    fail(selection_error::unclosed_quote, begin);
    at_ = text_.size();
    return {};
  }
  at_ = end;
  std::string out;
  for (std::size_t i = begin + 1; i + 1 < end; ++i) {
    out += text_[i];
    if (text_[i] == text_[begin]) ++i;  // doubled
  }
  return out;
}

metadata_key selection_scanner::take_key() {
  const std::size_t begin = at_;
  std::string name;
  if (is_quote(peek())) {
    name = take_quoted();
  } else {
    std::size_t end = begin;  // of the key; blanks within it count, those behind it do not
    for (;
         !at_end() && !is_operator_at(text_, at_) && std::string_view("(),\"'").find(peek()) == std::string_view::npos;
         ++at_) {
      if (is_blank(peek())) continue;
      if ((at_ == begin || is_blank(text_[at_ - 1])) && any_word_at(at_)) break;
      end = at_ + 1;
    }
    name = text_.substr(begin, end - begin);
    at_ = end;
    if (name.empty()) fail(selection_error::missing_key, begin);
  }
  failure why;
  metadata_key out = metadata_key::parse(name, why);
  if (why.code == make_error_code(errc::bad_key))
    fail(selection_error::unknown_property, begin);
  else if (why && !why_)
    why_ = why;
  return out;
}

relation selection_scanner::take_operator() noexcept {
  const std::size_t begin = at_;
  skip_blanks();
  spaced_ = at_ != begin;
  if (take('=')) return relation::equal;
  if (take('~')) return relation::matches;
  if (take('<')) return take('=') ? relation::less_equal : relation::less;
  if (take('>')) return take('=') ? relation::greater_equal : relation::greater;
  if (take('!') && take('=')) return relation::unequal;
  fail(selection_error::missing_operator, at_);
  return relation::has;
}

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
std::string_view selection_scanner::take_bare() {
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
operand selection_scanner::take_end() {
  skip_blanks();
  if (is_quote(peek())) return {take_quoted(), std::nullopt};
  return bare_operand(take_bare());
}

choice selection_scanner::take_choice() {
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

std::string selection_scanner::take_pattern() {
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

void selection_scanner::take_values(condition& of) {
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

void selection_scanner::compile_pattern(condition& of, std::size_t begin, bool quoted) {
  const std::string& text = of.values.front().from.text;
  if (text.empty() && !quoted) fail(selection_error::missing_value, begin);
  if (!pattern::available()) fail(selection_error::unsupported_pattern, begin);
  if (fault()) return;
  of.pattern = pattern::compile(text);
  if (!of.pattern) fail(selection_error::bad_pattern, begin);
}

}  // namespace tgmap::select
