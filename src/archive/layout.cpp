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

void object_sink::grow(const object_place& place) noexcept {
  if (out_of_memory_) return;
  try {
    if (many_.empty()) many_.assign(few_.begin(), few_.end());
    many_.push_back(place);
  } catch (const std::bad_alloc&) {
    out_of_memory_ = true;
    many_ = {};
  }
}

void object_sink::expect(std::uint64_t objects) noexcept {
  if (objects < kept_from) return;
  try {
    many_.reserve(static_cast<std::size_t>(objects));
  } catch (const std::exception&) {  // bad_alloc or length_error: add() will find out what there is
  }
}

void object_sink::restart() noexcept {
  count_ = 0;
  found_.reset();
  many_.clear();
  out_of_memory_ = false;
}

std::vector<object_place> object_sink::take(bool few_too) noexcept {
  if (!few_too || !many_.empty() || out_of_memory_) return std::move(many_);
  try {
    return {few_.begin(), few_.begin() + static_cast<std::ptrdiff_t>(count_)};
  } catch (const std::bad_alloc&) {
    return {};
  }
}

failure located(failure why, const message_position& message, optional_index object) noexcept {
  if (!why) return why;
  if (!why.message) why.message = message.index();
  if (!why.object) why.object = object;
  if (why.offset == 0) why.offset = message.offset();
  return why;
}

walk_range frames_of(const archive_state& state, const message_position& message) noexcept {
  const std::uint64_t tail = message.is_incomplete() ? 0 : wire::postamble_size(message.version());
  return {.message = message.offset(),
          .end = message.length() - tail,
          .version = static_cast<std::uint8_t>(message.version()),
          .end_known = true,
          .max_padding = state.options().max_padding,
          .ahead = state.bytes().direct() ? 512u : io::window::largest};
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
    const wire::phase phase = wire::phase_of(type, message.version());
    ++structure.walked;
    if (phase == wire::phase::unknown) continue;
    const std::uint64_t offset = message.offset() + place.at;
    if (phase < reached)
      return {.code = errc::frame_out_of_order,
              .offset = offset,
              .expected = static_cast<std::uint64_t>(reached),
              .found = type};
    reached = phase;
    const bool object = wire::is_object(type, message.version());
    if (preceder != 0 && !object) return {.code = errc::orphan_preceder, .offset = message.offset() + preceder};
    if (type == wire::preceder_frame) preceder = place.at;
    if (object) {
      const std::uint64_t limit = state.options().max_objects;
      if (sink.count() == limit) return {.code = errc::object_limit, .expected = limit, .found = limit + 1};
      sink.add({place.at, place.header.length, std::exchange(preceder, 0)});
    }
    note(place, structure);
  }
  if (what == met::damage) return why;
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
    by_index = index_route(state, message, window).find(structure, sink, why);
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
                    std::uint64_t compared) noexcept {
  if (const auto* kept = state.layouts().find(message.offset())) {
    structure = kept->value->structure;
    const auto& list = kept->value->list;
    if (wanted < list.size()) place = list[static_cast<std::size_t>(wanted)];
    return {};
  }
  object_sink sink(wanted, compared);
  if (failure why = find_objects(state, window, message, structure, sink)) return why;
  place = sink.found();
  if (auto list = sink.take(structure.compared && structure.walked >= kept_from_walked); !list.empty())
    if (std::unique_ptr<object_places> kept(new (std::nothrow) object_places{structure, std::move(list)}); kept)
      state.layouts().add(message.offset(), std::move(kept));
  return {};
}

failure find_structure(const archive_state& state, const message_position& message,
                       message_structure& structure) noexcept {
  io::window window(state.bytes());
  std::optional<object_place> ignored;
  return located(find_object(state, window, message, object_sink::none, structure, ignored), message);
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
