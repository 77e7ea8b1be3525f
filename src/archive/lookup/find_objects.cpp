// SPDX-License-Identifier: Apache-2.0
#include "archive/lookup/find_objects.hpp"

#include <algorithm>
#include <new>
#include <span>

#include "archive/archive_state.hpp"
#include "archive/lookup/index_lookup.hpp"
#include "wire/message_layout.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

void object_sink::append_to_record(const object_place& place) {
  if (place.preceder != 0) record_->preceders.emplace_back(record_->objects.size(), place.preceder);
  record_->objects.emplace_back(place);
}

void object_sink::grow_record(const object_place& place) noexcept {
  if (has_failed_) return;
  try {
    if (!record_) {
      record_ = std::make_unique<message_record>();
      record_->objects.reserve(static_cast<std::size_t>(std::max(expected_, min_cached_objects)));
      for (const object_place& each : first_places_) {
        has_failed_ = has_failed_ || !object_record::fits(each);
        append_to_record(each);
      }
    }
    has_failed_ = has_failed_ || !object_record::fits(place);
    append_to_record(place);
  } catch (const std::exception&) {  // bad_alloc or length_error
    has_failed_ = true;
  }
  if (has_failed_) record_.reset();
}

void object_sink::restart() noexcept {
  count_ = 0;
  found_.reset();
  record_.reset();
  has_failed_ = false;
}

std::unique_ptr<message_record> object_sink::take_record(bool even_if_few) noexcept {
  if (!even_if_few || record_ || has_failed_ || count_ == 0) return std::move(record_);
  const auto few = std::span(first_places_).first(static_cast<std::size_t>(count_));
  if (!std::ranges::all_of(few, object_record::fits)) return nullptr;
  try {
    record_ = std::make_unique<message_record>();
    for (const object_place& each : few) append_to_record(each);
  } catch (const std::bad_alloc&) {
    record_.reset();
  }
  return std::move(record_);
}

namespace {

/// Walks all frames. Phases must not go backwards, and a data object must follow a preceder (§2.8).
failure walk_all(const archive_state& state, const message_position& message, io::window& window,
                 message_structure& structure, object_sink& sink) noexcept {
  frame_walk walk(window, frames_of(state, message), walk_start::preamble());
  frame_place place;
  failure why;
  wire::frame_order order;
  std::uint64_t preceder = 0;
  walk_step step{};
  while ((step = walk.next(place, why)) == walk_step::frame) {
    const std::uint16_t type = place.header.type;
    const wire::phase phase = wire::phase_of(type, message.version());
    ++structure.walked;
    if (phase == wire::phase::unknown) continue;
    const std::uint64_t offset = message.offset() + place.offset;
    if (order.goes_back(phase))
      return {.code = errc::frame_out_of_order,
              .offset = offset,
              .expected = static_cast<std::uint64_t>(order.reached()),
              .found = type};
    if (order.lacks_object(type, message.version()))
      return {.code = errc::orphan_preceder, .offset = message.offset() + preceder};
    order.add(type, phase);
    if (type == wire::preceder_frame) preceder = place.offset;
    if (wire::is_object(type, message.version())) {
      const std::uint64_t limit = state.options().max_objects;
      if (sink.count() == limit) return {.code = errc::object_limit, .expected = limit, .found = limit + 1};
      sink.add({place.offset, place.header.length, std::exchange(preceder, 0)});
    }
    structure.add_frame(place);
  }
  if (step == walk_step::damage) return why;
  if (preceder != 0 && !message.is_incomplete())
    return {.code = errc::orphan_preceder, .offset = message.offset() + preceder};
  return {};
}

}  // namespace

failure find_objects(const archive_state& state, io::window& window, const message_position& message,
                     message_structure& structure, object_sink& sink) noexcept {
  if (message.version() == 1) return {.code = errc::version_1, .offset = message.offset()};
  failure why;
  bool by_index = false;
  if (state.options().lookup == object_lookup::index && !message.is_incomplete())
    by_index = index_lookup(state, message, window).find(structure, sink, why);
  if (!by_index) {
    structure = {};
    sink.restart();
    why = walk_all(state, message, window, structure, sink);
  }
  structure.objects = sink.count();
  return why;
}

failure find_object(const archive_state& state, io::window& window, const message_position& message,
                    std::uint64_t wanted, message_structure& structure, std::optional<object_place>& place,
                    object_sink::compared which) noexcept {
  if (const auto* known = state.objects().find(message); known != nullptr && known->structure) {
    structure = *known->structure;
    if (wanted < known->objects.size()) place = known->place(static_cast<std::size_t>(wanted));
    return {};
  }
  object_sink sink(wanted, which);
  if (failure why = find_objects(state, window, message, structure, sink)) return why;
  place = sink.found();
  if (auto record = sink.take_record(structure.compared && structure.walked >= min_cached_frames)) {
    record->structure.reset(new (std::nothrow) message_structure(structure));
    if (record->structure) state.objects().add(message, std::move(record));
  }
  return {};
}

failure find_structure(const archive_state& state, const message_position& message,
                       message_structure& structure) noexcept {
  io::window window(state.bytes());
  std::optional<object_place> ignored;
  return with_location(state, find_object(state, window, message, object_sink::none, structure, ignored), message);
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
