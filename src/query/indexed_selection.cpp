// SPDX-License-Identifier: Apache-2.0
// Selections by an index, and the ranges of selected messages and objects.
#include <tgmap/query/selection.hpp>

#include <new>
#include <optional>
#include <tgmap/enum_names.hpp>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "core/text/enum_table.hpp"
#include "query/answer_rows.hpp"

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

failure detail::wrong_answer(const message& of, optional_index object) noexcept {
  return {.code = errc::index_mismatch, .offset = of.offset(), .expected = 1, .message = of.index(), .object = object};
}

namespace {

/// Returns message `i`, or nothing at the end of the archive.
std::optional<message> message_at(const archive& in, std::size_t i, failure& why) noexcept {
  const message out = in.at(i, why);
  if (!why) return out;
  if (why.code == make_error_code(errc::out_of_range)) why = {};
  return std::nullopt;
}

}  // namespace

bool selected_messages::next(selected_message& out, failure& why) noexcept {
  why = {};
  if (!has_begun_) known_ = indexed_selection::of_messages(archive_, wanted_, why);
  if (why) return false;
  has_begun_ = true;
  for (next_ = known_.next(next_); const auto found = message_at(archive_, next_, why); next_ = known_.next(next_)) {
    const std::size_t index = next_++;
    const bool selected = wanted_.matches(*found, why);
    if (why) return false;
    if (!selected && known_.answer(index) == index_answer::yes) why = detail::wrong_answer(*found);
    if (why) return false;
    if (!selected) continue;
    out = {.index = index, .message = *found};
    return true;
  }
  return false;
}

/// Moves to the next message that has objects. Returns false at the end and after a failure.
bool selected_objects::next_message(failure& why) noexcept {
  next_ = count_ = 0;
  if (!has_begun_) known_ = indexed_selection::of_objects(archive_, wanted_, why);
  if (why) return false;
  has_begun_ = true;
  for (next_message_ = known_.next(next_message_); const auto found = message_at(archive_, next_message_, why);
       next_message_ = known_.next(next_message_)) {
    ++next_message_;
    if (found->version() == 1) continue;
    message_ = *found;
    count_ = found->size(why);
    if (why) count_ = 0;
    if (why || count_ != 0) return !why;
  }
  return false;
}

bool selected_objects::next(selected_object& out, failure& why) noexcept {
  why = {};
  while (next_ < count_ || next_message(why)) {
    const std::size_t j = next_++;
    const index_answer answer = known_.answer(next_message_ - 1, j);
    if (answer == index_answer::no) continue;
    const object found = message_.at(j, why);
    const bool selected = !why && wanted_.matches(message_, found, why);
    if (!why && !selected && answer == index_answer::yes) why = detail::wrong_answer(message_, j);
    if (why) return false;
    if (!selected) continue;
    out = {.message_index = next_message_ - 1, .index = j, .message = message_, .object = found};
    return true;
  }
  return false;
}

selected_messages archive::find(const selection& wanted) const& { return {*this, wanted}; }
selected_objects archive::objects(const selection& wanted) const& { return {*this, wanted}; }

TGMAP_ENUM_NAMES(index_answer, 0, "unknown", "no", "yes")

}  // namespace v0
}  // namespace tgmap
