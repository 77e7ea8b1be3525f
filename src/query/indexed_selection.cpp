// SPDX-License-Identifier: Apache-2.0
// Selections by an index, and the ranges of selected messages and objects.
#include <tgmap/query/selection.hpp>

#include <cstdint>
#include <new>
#include <tgmap/enum_names.hpp>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "core/text/enum_table.hpp"
#include "query/answer_rows.hpp"
#include "query/selection_rule.hpp"

namespace tgmap {
inline namespace v0 {

indexed_selection indexed_selection::find(const archive& in, const selection& wanted, bool of_objects,
                                          failure& why) noexcept {
  why = {};
  indexed_selection out;
  const detail::archive_state* const state = detail::access::state(in);
  if (state == nullptr || wanted.selects_all() || !state->is_index_current()) return out;
  const auto& index = state->index();
  index->bytes().expect_many();
  try {
    out.rows_ = detail::answer_rows::find(index, *wanted.tree_, of_objects, why);
  } catch (const std::bad_alloc&) {
    why = {.code = errc::out_of_memory};
  }
  return out;
}

indexed_selection indexed_selection::of_messages(const archive& in, const selection& wanted, failure& why) noexcept {
  return find(in, wanted, false, why);
}
indexed_selection indexed_selection::of_messages(const archive& in, const selection& wanted) {
  return detail::or_throw([&](failure& why) { return of_messages(in, wanted, why); });
}
indexed_selection indexed_selection::of_objects(const archive& in, const selection& wanted, failure& why) noexcept {
  return find(in, wanted, true, why);
}
indexed_selection indexed_selection::of_objects(const archive& in, const selection& wanted) {
  return detail::or_throw([&](failure& why) { return of_objects(in, wanted, why); });
}

index_answer indexed_selection::answer(std::size_t message) const noexcept {
  return rows_ ? rows_->answer(message) : index_answer::unknown;
}

index_answer indexed_selection::answer(std::size_t message, std::size_t object) const noexcept {
  return rows_ ? rows_->answer(message, object) : index_answer::unknown;
}

std::size_t indexed_selection::next(std::size_t message) const noexcept {
  return rows_ ? static_cast<std::size_t>(rows_->next(message)) : message;
}

std::uint64_t indexed_selection::count(index_answer wanted) const noexcept { return rows_ ? rows_->count(wanted) : 0; }

std::vector<std::string> indexed_selection::missing_keys() const {
  return rows_ ? rows_->missing_keys() : std::vector<std::string>();
}

bool selected_messages::next(selected_message& out, failure& why) noexcept {
  why = {};
  if (!has_begun_) known_ = indexed_selection::of_messages(archive_, wanted_, why);
  if (why) return false;
  has_begun_ = true;
  bool is_found = false;
  const detail::selection_rule rule(wanted_, known_);
  rule.each_message(archive_, next_, SIZE_MAX, why, [&](std::size_t i, const message& each) {
    key_lookup keys(each);
    is_found = rule.matches(keys, each, {}, known_.answer(i), why);
    if (is_found) out = {.index = i, .message = each};
    return !is_found && !why;
  });
  return is_found;
}

/// Moves to the next message that has objects. Returns false at the end and after a failure.
bool selected_objects::next_message(failure& why) noexcept {
  next_ = count_ = 0;
  if (!has_begun_) known_ = indexed_selection::of_objects(archive_, wanted_, why);
  if (why) return false;
  has_begun_ = true;
  detail::selection_rule(wanted_, known_)
      .each_message(archive_, next_message_, SIZE_MAX, why, [&](std::size_t, const message& each) {
        if (each.version() == 1) return true;
        message_ = each;
        count_ = each.size(why);
        if (why) count_ = 0;
        return !why && count_ == 0;
      });
  return count_ != 0;
}

bool selected_objects::next(selected_object& out, failure& why) noexcept {
  why = {};
  bool is_found = false;
  const detail::selection_rule rule(wanted_, known_);
  while (!is_found && !why && (next_ < count_ || next_message(why)))
    rule.each_object(next_message_ - 1, next_, count_, [&](std::size_t j, index_answer answer) {
      const object found = message_.at(j, why);
      if (why) return false;
      key_lookup keys(message_, found);
      is_found = rule.matches(keys, message_, j, answer, why);
      if (is_found) out = {.message_index = next_message_ - 1, .index = j, .message = message_, .object = found};
      return !is_found && !why;
    });
  return is_found;
}

selected_messages archive::find(const selection& wanted) const& { return {*this, wanted}; }
selected_objects archive::objects(const selection& wanted) const& { return {*this, wanted}; }

TGMAP_ENUM_NAMES(index_answer, 0, "unknown", "no", "yes")

}  // namespace v0
}  // namespace tgmap
