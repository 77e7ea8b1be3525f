// SPDX-License-Identifier: Apache-2.0
#include "query/selection_scanner.hpp"

#include <algorithm>
#include <tgmap/query/parameters.hpp>

#include "core/text/trim.hpp"
#include "query/range_words.hpp"
#include "query/selection_words.hpp"

namespace tgmap::query {

void selection_scanner::fail(selection_error error, std::size_t at) noexcept {
  if (!error_) error_ = {.code = errc::bad_selection, .expected = static_cast<std::uint64_t>(error), .found = at + 1};
}

std::size_t selection_scanner::skip_blanks_from(std::size_t at) const noexcept {
  while (at < text_.size() && is_blank(text_[at])) ++at;
  return at;
}

void selection_scanner::skip_blanks() noexcept { at_ = skip_blanks_from(at_); }

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

bool selection_scanner::word_in_any_case_at(std::size_t at, std::string_view word) const noexcept {
  const std::size_t end = at + word.size();
  return is_in_any_case(text_.substr(at, word.size()), word) &&
         (end == text_.size() || is_blank(text_[end]) || text_[end] == '(' || text_[end] == ')');
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

std::size_t selection_scanner::find_quoted_end(std::size_t at) const noexcept {
  const char quote = text_[at];
  for (++at; at < text_.size(); ++at) {
    if (text_[at] != quote) continue;
    if (at + 1 == text_.size() || text_[at + 1] != quote) return at + 1;
    ++at;  // a doubled quote stands for itself
  }
  return text_.npos;
}

bool selection_scanner::condition_at(std::size_t at) const noexcept {
  at = skip_blanks_from(at);
  for (std::size_t size = 1; size != 0; at = skip_blanks_from(at + size))
    size = word_in_any_case_at(at, "not") && !word_at(at, "not") ? 3 : text_.substr(at).starts_with('!') ? 1 : 0;
  if (at == text_.size()) return false;
  if (text_[at] == '(' || word_at(at, "not") || word_at(at, "has")) return true;
  std::size_t end = at;
  if (is_quote(text_[at])) {
    end = find_quoted_end(at);
  } else {
    while (end < text_.size() && !is_blank(text_[end]) && !is_operator_at(text_, end) &&
           std::string_view("(),/\"'").find(text_[end]) == std::string_view::npos)
      ++end;
  }
  return end != text_.npos && end != at && is_operator_at(text_, skip_blanks_from(end));
}

std::size_t selection_scanner::and_at(std::size_t at) const noexcept {
  if (word_at(at, "and") || (word_in_any_case_at(at, "and") && condition_at(at + 3))) return 3;
  return text_.substr(at).starts_with("&&") && condition_at(at + 2) ? 2 : 0;
}

std::size_t selection_scanner::or_at(std::size_t at) const noexcept {
  if (word_at(at, "or") || (word_in_any_case_at(at, "or") && condition_at(at + 2))) return 2;
  return text_.substr(at).starts_with("||") && condition_at(at + 2) ? 2 : 0;
}

bool selection_scanner::ends_text(std::size_t at) const noexcept {
  const bool may_be_word = at == 0 || is_blank(text_[at - 1]);
  return (may_be_word || text_[at] == '&' || text_[at] == '|') && (and_at(at) != 0 || or_at(at) != 0);
}

bool selection_scanner::take_and() noexcept {
  const std::size_t size = peek() == ',' && condition_at(at_ + 1) ? 1 : and_at(at_);
  at_ += size;
  return size != 0;
}

bool selection_scanner::take_or() noexcept {
  const std::size_t size = or_at(at_);
  at_ += size;
  return size != 0;
}

bool selection_scanner::take_not() noexcept {
  if (take_word("not")) return true;
  if (word_in_any_case_at(at_, "not") && condition_at(at_ + 3)) return at_ += 3, true;
  return peek() == '!' && condition_at(at_ + 1) && take('!');
}

bool selection_scanner::take_has() noexcept {
  if (take_word("has")) return true;
  if (!word_in_any_case_at(at_, "has") || condition_at(at_ + 3)) return false;
  at_ += 3;
  return true;
}

std::string selection_scanner::take_quoted() {
  const std::size_t begin = at_, end = find_quoted_end(at_);
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
    std::size_t end = begin;  // of the key; blanks within it belong to it, blanks after it do not
    for (;
         !at_end() && !is_operator_at(text_, at_) && std::string_view("(),\"'").find(peek()) == std::string_view::npos;
         ++at_) {
      if (is_blank(peek())) continue;
      if ((at_ == begin || is_blank(text_[at_ - 1])) && any_word_at(at_)) break;
      if (at_ != begin && ends_text(at_)) break;
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
  else if (why && !error_)
    error_ = why;
  return out;
}

comparison selection_scanner::take_operator() noexcept {
  const std::size_t begin = at_;
  skip_blanks();
  trims_values_ = at_ != begin;
  if (take('=')) return take('='), comparison::equal;
  if (take('~')) return comparison::matches;
  if (take('<')) return take('=') ? comparison::less_equal : comparison::less;
  if (take('>')) return take('=') ? comparison::greater_equal : comparison::greater;
  if (take('!') && take('=')) return comparison::unequal;
  fail(selection_error::missing_operator, at_);
  return comparison::exists;
}

namespace {

/// Returns the position of the dots of a range in a value without quotes, or npos.
std::size_t find_range_dots(std::string_view text) noexcept {
  const std::size_t dots = text.find("..");
  if (dots != text.npos && text.substr(dots).starts_with("..=")) return text.npos;
  const bool is_range = dots != text.npos && text.find("..", dots + 1) == text.npos;
  return is_range && dots != 0 && dots + 2 != text.size() ? dots : text.npos;
}

/// Returns true for two numbers and more with commas between them.
bool is_number_list(std::string_view text) noexcept {
  if (text.find(',') == text.npos) return false;
  for (std::size_t comma = 0; comma != text.npos;) {
    comma = text.find(',');
    if (!read_number(core::trimmed(text.substr(0, comma)))) return false;
    if (comma != text.npos) text.remove_prefix(comma + 1);
  }
  return true;
}

/// Returns true for "6..", "..6", "0...6" and "0..=6", which other programs take for ranges.
bool is_other_range(std::string_view text) noexcept {
  const std::size_t dots = text.find("..");
  if (dots == text.npos) return false;
  const std::string_view before = core::trimmed(text.substr(0, dots));
  std::string_view after = text.substr(dots + 2);
  if (after.starts_with('.') || after.starts_with('=')) after.remove_prefix(1);
  after = core::trimmed(after);
  return (before.empty() || read_number(before)) && (after.empty() || read_number(after)) &&
         !(before.empty() && after.empty());
}

/// Keeps the number of a value that is compared by `=` if it may be printed in another way than it is written.
void read_digits(operand& of) {
  if (!of.number) return;
  of.text = core::trimmed(of.text);
  of.digits = decimal_digits(of.text);
  const bool is_as_printed = of.digits.empty() || (of.digits == of.text && of.digits != "0");  // -0 is 0, too
  if (is_as_printed)
    of.number.reset();
  else
    of.number = read_number(of.digits);  // as an integer, if it is one
}

/// Returns true if the values of a key are parameters, which have a number and a short name.
bool names_parameter(const metadata_key& key) noexcept {
  const std::string_view text = key.text();
  const std::string_view last = text.substr(text.rfind('.') + 1);  // npos + 1 is 0
  return last == "param" || last == "paramId";
}

/// Finds the other names of a parameter, and its number as it is printed.
void find_synonyms(alternative& of) {
  of.synonyms = parameter_synonyms(of.from.number ? of.from.digits : of.from.text);
  if (of.from.number && !of.synonyms.empty()) of.synonyms.push_back(of.from.digits);
}

operand unquoted_operand(std::string_view text) {
  text = core::trimmed(text);
  return {std::string(text), read_number(text)};
}

}  // namespace

/// Returns true for what is an operator in other languages together with the sign before it: the second character of
/// "<>", "=~" and "=<" before a number. Other values may begin with a sign, such as "<b>".
bool selection_scanner::continues_operator(std::size_t at) const noexcept {
  if (!is_operator_at(text_, at)) return false;
  if (text_[at] == '=' || text_[at] == '~' || at == 0 || text_[at - 1] == '<') return true;
  const std::string_view rest = text_.substr(at + 1);
  return read_number(core::trimmed(rest.substr(0, rest.find_first_of(",/) ", skip_blanks_from(at + 1) - at - 1))))
      .has_value();
}

/// Reads a value without quotes. A sign at its beginning, or another condition in it, is a mistake. Leaves out the
/// blanks around it if they only separate it from operators and words.
std::string_view selection_scanner::take_unquoted() {
  const std::size_t begin = at_;
  if (const std::size_t first = skip_blanks_from(begin); continues_operator(first))
    fail(selection_error::missing_value, first);
  for (; !at_end(); ++at_) {
    const char c = peek();
    if (c == ')' || c == '/' || (c == ',' && condition_at(at_ + 1))) break;
    if (c == '.' && at_ != begin && peek(1) == '.' && is_quote(peek(2))) break;  // a range whose end is in quotes
    const bool may_be_word = at_ == begin || is_blank(text_[at_ - 1]);
    if (skip_blanks_from(begin) < at_ && ends_text(at_)) break;
    if (c == '(' || (may_be_word && any_word_at(at_))) {
      fail(selection_error::reserved_word, at_);
      break;
    }
    const bool may_be_key = at_ != begin && (is_blank(text_[at_ - 1]) || text_[at_ - 1] == ';') && !is_blank(c);
    if (may_be_key && skip_blanks_from(begin) < at_ && condition_at(at_)) {
      fail(selection_error::trailing_text, at_);
      break;
    }
  }
  const std::string_view all = text_.substr(begin, at_ - begin), core = core::trimmed(all);
  if (trims_values_ || find_range_dots(core) != core.npos) return core;
  const bool keeps_blanks_after = at_end() || peek() == '/';
  return keeps_blanks_after ? all : all.substr(0, static_cast<std::size_t>(core.data() + core.size() - all.data()));
}

/// Reads the upper end of a range.
operand selection_scanner::take_range_end() {
  skip_blanks();
  if (is_quote(peek())) return {take_quoted(), std::nullopt};
  return unquoted_operand(take_unquoted());
}

alternative selection_scanner::take_alternative() {
  if (trims_values_ || is_quote(peek(skip_blanks_from(at_) - at_))) skip_blanks();
  alternative out;
  if (is_quote(peek())) {
    out.from.text = take_quoted();
    out.is_quoted = true;
    skip_blanks();
  } else {
    const std::string_view text = take_unquoted();
    const std::size_t dots = find_range_dots(text);
    if (dots != text.npos) {
      out.from = unquoted_operand(text.substr(0, dots));
      out.to = unquoted_operand(text.substr(dots + 2));
      return out;
    }
    const bool is_range = peek() == '.' && peek(1) == '.';
    out.from = {std::string(is_range ? core::trimmed(text) : text), read_number(core::trimmed(text))};
  }
  if (peek() != '.' || peek(1) != '.') return out;
  at_ += 2;
  const std::size_t begin = at_;
  out.to = take_range_end();
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
    if (at_ != begin && ends_text(at_)) break;
    if (may_be_word && any_word_at(at_)) fail(selection_error::reserved_word, at_);
  }
  if (!open.empty()) fail(selection_error::unclosed_parenthesis, open.back());
  return std::string(core::trimmed(text_.substr(begin, at_ - begin)));
}

void selection_scanner::take_values(condition& condition) {
  if (condition.test == comparison::exists) return;
  const bool takes_alternatives = condition.test == comparison::equal || condition.test == comparison::unequal;
  if (!takes_alternatives) {
    skip_blanks();
    trims_values_ = true;
  }
  const std::size_t begin = at_;
  const bool is_quoted = is_quote(peek());
  if (condition.test == comparison::matches) {
    condition.values.push_back({.from = {.text = take_pattern()}});
    compile_pattern(condition, begin, is_quoted);
  } else if (takes_alternatives) {
    std::vector<std::size_t> begins;  // of the alternatives
    do {
      begins.push_back(skip_blanks_from(at_));
      condition.values.push_back(take_alternative());
    } while (take('/'));
    check_numbers(condition, begin);
    if (const auto fault = join_ranges(condition.values)) fail(selection_error::range_spelling, begins[*fault]);
    const bool are_parameters = names_parameter(condition.key);
    for (alternative& each : condition.values) {
      if (each.to) continue;
      read_digits(each.from);
      if (are_parameters) find_synonyms(each);
    }
  } else {
    alternative one = take_alternative();
    if (one.from.text.empty() && !is_quoted) fail(selection_error::missing_value, begin);
    if (one.to || peek() == '/') fail(selection_error::trailing_text, one.to ? begin : at_);
    condition.values.push_back(std::move(one));
    if (!is_quoted) check_numbers(condition, begin);
  }
}

/// Refuses what other programs write for alternatives and ranges of numbers, and what would be compared as text here.
void selection_scanner::check_numbers(const condition& condition, std::size_t begin) noexcept {
  for (const alternative& each : condition.values) {
    if (each.is_quoted) continue;
    if (is_number_list(each.from.text)) fail(selection_error::number_list, begin);
    if (!each.to && is_other_range(each.from.text)) fail(selection_error::range_spelling, begin);
  }
}

void selection_scanner::compile_pattern(condition& condition, std::size_t begin, bool is_quoted) {
  const std::string& text = condition.values.front().from.text;
  if (text.empty() && !is_quoted) fail(selection_error::missing_value, begin);
  if (!pattern::available()) fail(selection_error::unsupported_pattern, begin);
  if (error()) return;
  condition.pattern = pattern::compile(text);
  if (!condition.pattern) fail(selection_error::bad_pattern, begin);
}

}  // namespace tgmap::query
