// SPDX-License-Identifier: Apache-2.0
#include "archive/metadata_layout.hpp"

#include <memory>
#include <new>

#include "archive/state.hpp"
#include "cbor/prescan.hpp"
#include "cbor/text.hpp"
#include "cbor/walk.hpp"
#include "wire/frame.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

failure wrong_kind(kind wanted, const value& found, std::uint64_t offset) noexcept {
  return {.code = errc::wrong_kind,
          .offset = offset,
          .expected = static_cast<std::uint64_t>(wanted),
          .found = static_cast<std::uint64_t>(found.type())};
}

bool is(const std::optional<value>& item, kind wanted) noexcept { return item && item->type() == wanted; }

std::uint64_t body_size(const message_position& message, const frame_place& place) noexcept {
  return place.header.length - wire::least_frame(place.header.type, message.version);
}

std::uint64_t body_offset(const message_position& message, const frame_place& place) noexcept {
  return message.offset + place.at + wire::frame_header_size;
}

/// Version 2 before 0.6 (§5.2): told apart by what is at top level.
void old_dialect(const structure_copy& body, section_places& out) noexcept {
  const value top(body.bytes());
  const auto payload = top.find("payload"), common = top.find("common"), reserved = top.find("reserved");
  if (is(payload, kind::array)) {
    out.base = body.place(*payload);
    if (is(common, kind::map)) out.common = body.place(*common);
    out.hidden_top |= hide_old_payload;
    out.hidden_entry |= hide_tensor;
  }
  const bool sections = out.base != 0 || is(payload, kind::map) || is(common, kind::map);
  if (is(reserved, kind::map) && sections) {
    out.reserved = body.place(*reserved);
    out.hidden_top |= hide_old_reserved;
  }
}

failure find_places(const structure_copy& body, const message_position& message, std::uint64_t offset,
                    section_places& out) noexcept {
  out = {.hidden_top = hide_sections};
  if (message.version == 2) out.hidden_top |= hide_version;
  bool modern = message.version == 3;
  value::step at;
  if (!cbor::first(body.bytes(), at)) return {.code = errc::bad_cbor, .offset = offset};
  while (cbor::next(at)) {
    const auto key = at.key.tail();
    std::uint64_t* const section = cbor::text_equals(key, "base")         ? &out.base
                                   : cbor::text_equals(key, "_extra_")    ? &out.extra
                                   : cbor::text_equals(key, "_reserved_") ? &out.reserved
                                                                          : nullptr;
    if (section == nullptr) continue;
    modern = true;
    // Only what means something is kept: a map, and of the base what will be refused too.
    *section = section == &out.base || at.item.type() == kind::map ? body.place(at.item) : 0;
  }
  if (!modern) old_dialect(body, out);
  return {};
}

/// Sections, where they last.
metadata_sections sections_of(std::span<const std::byte> body, const section_places& places) noexcept {
  const auto item = [&](std::uint64_t at) {
    return at == 0 || at >= body.size() ? value() : value(body.subspan(static_cast<std::size_t>(at)));
  };
  return {.top = value(body),
          .extra = item(places.extra),
          .common = item(places.common),
          .reserved = item(places.reserved),
          .entry = value(),
          .hidden_top = places.hidden_top,
          .hidden_entry = places.hidden_entry};
}

/// Notes where entries begin, when there are many. Memory that is missing only means that they are looked for again.
void keep(const archive_state& state, const message_position& message, const structure_copy& body, const value& base,
          const section_places& places, std::uint64_t objects) noexcept {
  // More entries than objects are an error or a cut stream: memory follows objects, which have frames behind them.
  if (objects < kept_from || base.size() > objects) return;
  try {
    auto fresh = std::make_unique<entry_places>();
    fresh->sections = places;
    value::step at;
    if (!cbor::first(base.tail(), at)) return;
    while (cbor::next(at)) {
      if (at.item.type() != kind::map && at.item.type() != kind::null) return;  // to be refused each time
      fresh->list.push_back(at.item.type() == kind::map ? body.place(at.item) : 0);
    }
    state.entries().add(message.offset, std::move(fresh));
  } catch (const std::bad_alloc&) {
  }
}

}  // namespace

failure load_body(const archive_state& state, const message_position& message, const frame_place& place,
                  structure_copy& out) noexcept {
  const auto& options = state.options();
  const std::uint64_t size = body_size(message, place), at = body_offset(message, place);
  if (size > options.max_metadata_bytes)
    return {.code = errc::metadata_limit, .offset = at, .expected = options.max_metadata_bytes, .found = size};
  if (failure why = out.load(state.bytes(), at, size)) return why;
  failure why = cbor::prescan(out.bytes(), options.max_cbor_depth, cbor::rules::metadata);
  if (why) why.offset = at;
  return why;
}

bool hides(std::uint16_t hidden, std::string_view key) noexcept {
  const auto any = [&](std::uint16_t set, std::initializer_list<std::string_view> keys) {
    if ((hidden & set) == 0) return false;
    for (const auto k : keys)
      if (k == key) return true;
    return false;
  };
  return any(hide_version, {"version"}) || any(hide_sections, {"base", "_extra_", "_reserved_"}) ||
         any(hide_old_reserved, {"reserved"}) || any(hide_old_payload, {"payload", "common"}) ||
         any(hide_tensor, {"ndim", "shape", "strides", "dtype"}) || any(hide_provenance, {"_reserved_"});
}

failure read_sections(const archive_state& state, const message_position& message, const message_structure& structure,
                      std::uint64_t wanted, metadata_sections& out) noexcept {
  const auto& place = structure.metadata();
  if (!place) return {.code = errc::no_metadata, .offset = message.offset};
  const std::uint64_t offset = body_offset(message, *place);
  if (const auto* kept = state.entries().find(message.offset)) {
    failure why;
    const auto body = state.bytes().view(offset, body_size(message, *place), io::held::structure, why);
    if (why) return why;
    out = sections_of(body, kept->value->sections);
    const auto& list = kept->value->list;
    if (wanted < list.size() && list[wanted] != 0)
      out.entry = value(body.subspan(static_cast<std::size_t>(list[wanted])));
    return {};
  }

  structure_copy body;
  if (failure why = load_body(state, message, *place, body)) return why;
  section_places places;
  if (failure why = find_places(body, message, offset, places)) return why;
  out = sections_of(body.lasting(value(body.bytes())).tail(), places);
  if (places.base == 0) return {};
  const value base(body.bytes().subspan(static_cast<std::size_t>(places.base)));
  if (base.type() == kind::null) return {};
  if (base.type() != kind::array) return wrong_kind(kind::array, base, offset);
  keep(state, message, body, base, places, structure.objects);
  if (wanted == object_sink::none) return {};
  // The rest of an incomplete stream may have held what its header announced.
  if (const std::uint64_t entries = base.size(); entries > structure.objects && !message.incomplete)
    return {.code = errc::base_count, .offset = offset, .expected = structure.objects, .found = entries};
  const auto entry = base.at(wanted);
  if (!entry) return {};
  if (entry->type() != kind::map && entry->type() != kind::null) return wrong_kind(kind::map, *entry, offset);
  if (entry->type() == kind::map) out.entry = body.lasting(*entry);
  return {};
}

failure preceder_entry(const archive_state& state, const message_position& message, std::uint64_t at,
                       value& out) noexcept {
  io::window window(state.bytes());
  frame_walk walk(window, frames_of(state, message), walk_start::at(at));
  frame_place place;
  failure why;
  if (walk.next(place, why) != met::frame) return why ? why : failure{.code = errc::bad_preceder};
  structure_copy body;
  if ((why = load_body(state, message, place, body))) return why;
  const value top(body.bytes());
  auto entries = top.find("base");
  if (!entries) entries = top.find("payload");  // release 0.5
  const std::uint64_t count = is(entries, kind::array) ? entries->size() : 0;
  if (count != 1) return {.code = errc::bad_preceder, .offset = message.offset + at, .expected = 1, .found = count};
  const value entry = entries->at(0).value_or(value());
  if (entry.type() != kind::map) return wrong_kind(kind::map, entry, message.offset + at);
  out = body.lasting(entry);
  return {};
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
