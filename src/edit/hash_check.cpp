// SPDX-License-Identifier: Apache-2.0
#include "edit/hash_check.hpp"

#include "edit/message_failure.hpp"

namespace tgmap::edit {

namespace {

failure mismatch(std::optional<std::uint64_t> stored, std::uint64_t found) {
  return {.code = errc::hash_mismatch, .expected = stored.value_or(0), .found = found};
}

/// Compares the frames that are not objects. Frames of version 2 have no hashes.
failure check_frames(const message& m) {
  failure why;
  frame_range frames = m.frames(why);
  for (frame each; !why && frames.next(each, why);) {
    if (each.is_object()) continue;
    std::uint64_t found = 0;
    const hash_result result = each.verify(found, why);
    if (!why && result == hash_result::mismatch) why = mismatch(each.stored_hash(), found);
  }
  return why ? failure_in(m, why) : why;
}

}  // namespace

failure hash_check::check(const std::string& file, const message& m) {
  if (m.version() == 1) {
    add(file, &unverified::messages, failure_in(m, {}));
    return {};
  }
  failure why = check_frames(m);
  const std::size_t objects = why ? 0 : m.size(why);
  for (std::size_t j = 0; j < objects && !why; ++j) {
    const object one = m.at(j, why);
    if (!why) why = check_object(file, one);
  }
  return why ? failure_in(m, why) : why;
}

failure hash_check::check(const std::string& file, const message& m, std::size_t object) {
  {
    const std::lock_guard lock(mutex_);
    const auto [known, is_new] = checked_frames_.try_emplace({file, m.offset()});
    if (is_new) known->second = check_frames(m);
    if (known->second) return known->second;
  }
  failure why;
  const tgmap::object one = m.at(object, why);
  if (!why) why = check_object(file, one);
  return why ? failure_in(m, why) : why;
}

failure hash_check::check_object(const std::string& file, const object& one) {
  failure why;
  std::uint64_t found = 0;
  const hash_result result = one.verify(found, why);
  if (!why && result == hash_result::mismatch) why = mismatch(one.stored_hash(), found);
  if (why) {
    why.message = one.frame().message().index();
    why.object = one.index();
    if (why.offset == 0) why.offset = one.frame().offset();
    return why;
  }
  if (result != hash_result::match) add_object(file, one);
  return {};
}

void hash_check::count(const std::string& file, const object& one) {
  if (!one.stored_hash()) add_object(file, one);
}

void hash_check::add_object(const std::string& file, const object& one) {
  const message_position& in = one.frame().message();
  add(file, &unverified::objects, {.offset = in.offset(), .message = in.index(), .object = one.index()});
}

void hash_check::add(const std::string& file, std::uint64_t unverified::*which, const failure& place) {
  const std::lock_guard lock(mutex_);
  unverified& to = unverified_[file];
  const bool is_first = to.objects == 0 && to.messages == 0;
  ++(to.*which);
  if (is_first) to.first = place;
}

failure check_readable(const message& m, std::optional<std::size_t> only) {
  failure why;
  if (m.version() == 1) return why;
  const std::size_t end = only ? *only + 1 : m.size(why);
  for (std::size_t j = only.value_or(0); j < end && !why; ++j) {
    const object one = m.at(j, why);
    if (!why) static_cast<void>(one.descriptor(why));
    if (!why) static_cast<void>(one.metadata(why));
    if (why.code == condition::unsupported) why = {};
    if (why) why.object = j;
  }
  return why;
}

}  // namespace tgmap::edit
