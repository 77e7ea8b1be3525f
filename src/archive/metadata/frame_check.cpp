// SPDX-License-Identifier: Apache-2.0
#include "archive/metadata/frame_check.hpp"

#include <optional>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/hash.hpp"
#include "archive/lookup/find_objects.hpp"
#include "archive/lookup/message_record.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

failure check_metadata_frame(const archive_state& state, const message_position& message,
                             const frame_place& place) noexcept {
  const message_record* const record = state.objects().find(message);
  const metadata_record* const known = record == nullptr ? nullptr : record->entries.load(std::memory_order_acquire);
  if (known != nullptr && known->hash_is_checked.load(std::memory_order_relaxed)) return {};
  const failure why = check_frame_hash(access::make_frame(state, message, place));
  if (!why && known != nullptr) known->hash_is_checked.store(true, std::memory_order_relaxed);
  return why;
}

failure check_preceder(const archive_state& state, const message_position& message, const object_place& of,
                       std::uint64_t object) noexcept {
  io::window window(state.bytes());
  frame_walk walk(window, frames_of(state, message), walk_start::at(of.preceder));
  frame_place place;
  failure why;
  if (walk.next(place, why) != walk_step::frame) return why ? why : failure{.code = errc::bad_preceder};
  return check_frame_hash(access::make_frame(state, message, place), object);
}

}  // namespace

failure check_frame_hash(const frame& frame, optional_index object) noexcept {
  failure why;
  std::uint64_t found = 0;
  if (frame.verify(found, why) != hash_result::mismatch) return why;
  const auto stored = read_frame_hash(frame, why);
  if (why) return with_location(why, frame.message(), object);
  return {.code = errc::hash_mismatch,
          .offset = frame.offset(),
          .expected = stored.value_or(0),
          .found = found,
          .message = frame.message().index(),
          .object = object,
          .argument = to_string_view(frame.type()).data()};
}

failure check_key_hashes(const archive_state& state, const message_position& message, std::uint64_t object) noexcept {
  if (message.version() != 3) return {};
  io::window window(state.bytes());
  message_structure structure;
  std::optional<object_place> place;
  failure why = find_object(state, window, message, object, structure, place);
  if (!why && structure.metadata()) why = check_metadata_frame(state, message, *structure.metadata());
  if (!why && place && place->preceder != 0) why = check_preceder(state, message, *place, object);
  return with_location(state, why, message);
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
