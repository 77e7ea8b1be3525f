// SPDX-License-Identifier: Apache-2.0
// Words, keys and operators. Values are in where_values.cpp.
#include "select/where_text.hpp"

#include "select/words.hpp"

namespace tgmap::select {

void where_text::fail(selection_error fault, std::size_t at) noexcept {
  if (!why_) why_ = {.code = errc::bad_selection, .expected = static_cast<std::uint64_t>(fault), .found = at + 1};
}

std::size_t where_text::behind_blanks(std::size_t at) const noexcept {
  while (at < text_.size() && is_blank(text_[at])) ++at;
  return at;
}

void where_text::skip_blanks() noexcept { at_ = behind_blanks(at_); }

bool where_text::take(char wanted) noexcept {
  if (at_end() || text_[at_] != wanted) return false;
  ++at_;
  return true;
}

bool where_text::word_at(std::size_t at, std::string_view word) const noexcept {
  if (!text_.substr(at).starts_with(word)) return false;
  const std::size_t end = at + word.size();
  return end == text_.size() || is_blank(text_[end]) || text_[end] == '(' || text_[end] == ')';
}

bool where_text::any_word_at(std::size_t at) const noexcept {
  for (const std::string_view word : reserved_words)
    if (word_at(at, word)) return true;
  return false;
}

bool where_text::take_word(std::string_view word) noexcept {
  if (!word_at(at_, word)) return false;
  at_ += word.size();
  return true;
}

std::size_t where_text::behind_quote(std::size_t at) const noexcept {
  const char quote = text_[at];
  for (++at; at < text_.size(); ++at) {
    if (text_[at] != quote) continue;
    if (at + 1 == text_.size() || text_[at + 1] != quote) return at + 1;
    ++at;  // doubled: the quote itself
  }
  return text_.npos;
}

bool where_text::condition_at(std::size_t at) const noexcept {
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

bool where_text::take_comma() noexcept {
  if (peek() != ',' || !condition_at(at_ + 1)) return false;
  ++at_;
  return true;
}

std::string where_text::take_quoted() {
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

metadata_key where_text::take_key() {
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

relation where_text::take_operator() noexcept {
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

}  // namespace tgmap::select
