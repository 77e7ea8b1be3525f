// SPDX-License-Identifier: Apache-2.0
#include "archive/layout.hpp"

#include <memory>
#include <new>

#include "archive/index_route.hpp"
#include "archive/state.hpp"
#include "wire/postamble.hpp"
#include "wire/preamble.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

failure object_sink::add(const object_place& place, std::uint64_t max_objects) noexcept {
  if (count_ == max_objects) return {.code = errc::object_limit, .expected = max_objects, .found = max_objects + 1};
  if (count_ == wanted_) found_ = place;
  ++count_;
  if (keep_ == nullptr) return {};
  try {
    keep_->push_back(place);
  } catch (const std::bad_alloc&) {
    return {.code = errc::out_of_memory, .found = count_ * sizeof(object_place)};
  }
  return {};
}

void object_sink::restart() noexcept {
  count_ = 0;
  found_.reset();
  if (keep_ != nullptr) keep_->clear();
}

failure located(failure why, const message_position& message, std::int64_t object) noexcept {
  if (!why) return why;
  if (why.message < 0) why.message = message.index;
  if (why.object < 0) why.object = object;
  if (why.offset == 0) why.offset = message.offset;
  return why;
}

walk_range frames_of(const archive_state& state, const message_position& message) noexcept {
  const std::uint64_t tail = message.incomplete ? 0 : wire::postamble_size(message.version);
  return {.message = message.offset,
          .end = message.length - tail,
          .version = message.version,
          .end_known = true,
          .max_padding = state.options().max_padding};
}

namespace {

/// Every frame in turn: phases must not go backwards, and a data object must follow a preceder (§2.8).
failure walk_all(const archive_state& state, const message_position& message, io::window& window,
                 message_structure& structure, object_sink& sink) noexcept {
  frame_walk walk(window, frames_of(state, message), walk_start::preamble());
  frame_place place;
  failure why;
  auto reached = wire::phase::header;
  std::uint64_t preceder = 0;
  met what{};
  while ((what = walk.next(place, why)) == met::frame) {
    const std::uint16_t type = place.header.type;
    const wire::phase phase = wire::phase_of(type, message.version);
    if (phase == wire::phase::unknown) continue;
    const std::uint64_t offset = message.offset + place.at;
    if (phase < reached)
      return {
          .code = errc::frame_order, .offset = offset, .expected = static_cast<std::uint64_t>(reached), .found = type};
    reached = phase;
    const bool object = wire::is_object(type, message.version);
    if (preceder != 0 && !object) return {.code = errc::lone_preceder, .offset = message.offset + preceder};
    if (type == wire::preceder_frame) preceder = place.at;
    if (object) {
      if (failure f =
              sink.add({place.at, place.header.length, std::exchange(preceder, 0)}, state.options().max_objects))
        return f;
    }
    note(place, structure);
  }
  if (what == met::damage) return why;
  if (preceder != 0 && !message.incomplete) return {.code = errc::lone_preceder, .offset = message.offset + preceder};
  return {};
}

}  // namespace

failure find_objects(const archive_state& state, const message_position& message, message_structure& structure,
                     object_sink& sink) noexcept {
  if (message.version == 1) return {.code = errc::version_1, .offset = message.offset};
  io::window window(state.bytes());
  failure why;
  bool by_index = false;
  if (state.options().lookup == object_lookup::index && !message.incomplete)
    by_index = index_route(state, message, window).find(structure, sink, why);
  if (!by_index) {
    structure = {};
    sink.restart();
    why = walk_all(state, message, window, structure, sink);
  }
  structure.objects = sink.count();
  return why;
}

failure find_object(const archive_state& state, const message_position& message, std::uint64_t wanted,
                    message_structure& structure, std::optional<object_place>& place) noexcept {
  const auto take = [&](const object_places& kept) {
    structure = kept.structure;
    if (wanted < kept.list.size()) place = kept.list[static_cast<std::size_t>(wanted)];
    return failure{};
  };
  if (const auto* kept = state.layouts().find(message.offset)) return take(*kept->value);

  object_sink one(wanted);
  if (failure why = find_objects(state, message, structure, one)) return why;
  place = one.found();
  if (structure.objects < kept_from) return {};

  // Many objects: once more, and remember. When memory is missing, the answer is there all the same.
  std::unique_ptr<object_places> fresh(new (std::nothrow) object_places);
  if (!fresh) return {};
  object_sink all(object_sink::none, &fresh->list);
  if (find_objects(state, message, fresh->structure, all)) return {};
  state.layouts().add(message.offset, std::move(fresh));
  return {};
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
