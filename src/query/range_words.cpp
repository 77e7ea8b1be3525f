// SPDX-License-Identifier: Apache-2.0
#include "query/range_words.hpp"

#include <utility>

#include "core/text/trim.hpp"
#include "query/selection_words.hpp"

namespace tgmap::query {

namespace {

/// Returns the word that the alternative is, in small letters; empty if it is a value.
std::string_view word_of(const alternative& one) noexcept {
  if (one.is_quoted || one.to) return {};
  return range_word(core::trimmed(one.from.text));
}

/// Returns true if the alternative can be an end of a range.
bool can_be_end(const alternative& one) noexcept {
  return !one.to && word_of(one).empty() && (one.is_quoted || !core::trimmed(one.from.text).empty());
}

operand end_of(alternative& one) {
  if (!one.is_quoted) one.from.text = core::trimmed(one.from.text);
  return std::move(one.from);
}

}  // namespace

std::optional<std::size_t> join_ranges(std::vector<alternative>& values) {
  if (values.size() < 2) return std::nullopt;
  std::vector<alternative> out;
  const auto follows = [&](std::size_t i, std::string_view word) {
    return i + 1 < values.size() && word_of(values[i + 1]) == word;
  };
  for (std::size_t i = 0; i < values.size(); ++i) {
    alternative& one = values[i];
    if (!word_of(one).empty()) return i;
    if (follows(i, "to")) {
      if (!can_be_end(one) || i + 2 == values.size() || !can_be_end(values[i + 2])) return i + 1;
      one.from = end_of(one);
      one.to = end_of(values[i + 2]);
      i += 2;
    }
    if (follows(i, "by")) {
      if (!one.to || !one.from.number || !one.to->number || i + 2 == values.size()) return i + 1;
      const alternative& step = values[i + 2];
      if (step.is_quoted || step.to) return i + 2;
      one.step = core::trimmed(step.from.text);
      one.steps = number_steps::make(one.from.text, one.to->text, one.step);
      if (!one.steps) return i + 2;
      i += 2;
    }
    out.push_back(std::move(one));
  }
  values = std::move(out);
  return std::nullopt;
}

}  // namespace tgmap::query
