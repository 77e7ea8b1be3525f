// SPDX-License-Identifier: Apache-2.0
// Lazy ranges of the messages and objects that a selection matches.
#include <tgmap/query/selection.hpp>

namespace tgmap {
inline namespace v0 {

namespace {

/// Message `i`, or nothing at the end of the archive.
std::optional<message> message_at(const archive& in, std::size_t i, failure& why) noexcept {
  const message out = in.at(i, why);
  if (!why) return out;
  if (why.code == make_error_code(errc::out_of_range)) why = {};
  return std::nullopt;
}

}  // namespace

bool selected_messages::next(selected_message& out, failure& why) noexcept {
  while (const auto found = message_at(archive_, next_, why)) {
    const std::size_t index = next_++;
    const bool selected = wanted_.matches(*found, why);
    if (why) return false;
    if (!selected) continue;
    out = {.index = index, .message = *found};
    return true;
  }
  return false;
}

/// Goes to the next message that has objects. False at the end, and on an error.
bool selected_objects::next_message(failure& why) noexcept {
  next_ = count_ = 0;
  while (const auto found = message_at(archive_, next_message_, why)) {
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
    const object found = message_.at(j, why);
    const bool selected = !why && wanted_.matches(message_, found, why);
    if (why) return false;
    if (!selected) continue;
    out = {.message_index = next_message_ - 1, .index = j, .message = message_, .object = found};
    return true;
  }
  return false;
}

selected_messages archive::find(const selection& wanted) const& { return {*this, wanted}; }
selected_objects archive::objects(const selection& wanted) const& { return {*this, wanted}; }

}  // namespace v0
}  // namespace tgmap
