// SPDX-License-Identifier: Apache-2.0
#include "query/selection_rule.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

/// Compares what the archive says with the answer of the index.
void confirm(bool is_match, index_answer answer, const message& in, optional_index object, failure& why) noexcept {
  if (why || is_match || answer != index_answer::yes) return;
  why = {.code = errc::index_mismatch, .offset = in.offset(), .expected = 1, .message = in.index(), .object = object};
}

}  // namespace

std::size_t selection_rule::next(std::size_t message) const noexcept {
  message = known_->next(message);
  while (skips_known_ && known_->answer(message) == index_answer::yes) message = known_->next(message + 1);
  return message;
}

index_answer selection_rule::answer(optional_index message, optional_index object) const noexcept {
  if (!message) return index_answer::unknown;
  const auto i = static_cast<std::size_t>(*message);
  return object ? known_->answer(i, static_cast<std::size_t>(*object)) : known_->answer(i);
}

bool selection_rule::matches(key_lookup& keys, const message& in, optional_index object, index_answer answer,
                             failure& why) const noexcept {
  const bool is_match = wanted_->matches(keys, why);
  confirm(is_match, answer, in, object, why);
  return is_match && !why;
}

selection_match selection_rule::first_match(key_lookup& keys, const message& in, optional_index object,
                                            index_answer answer, failure& why) const noexcept {
  const selection_match found = wanted_->first_match(keys, why);
  confirm(found.is_match, answer, in, object, why);
  return why ? selection_match() : found;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
