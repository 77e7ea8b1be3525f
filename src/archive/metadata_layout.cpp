// SPDX-License-Identifier: Apache-2.0
#include "archive/metadata_layout.hpp"

#include <memory>
#include <new>

#include "archive/state.hpp"
#include "cbor/prescan.hpp"
#include "cbor/text.hpp"
#include "wire/frame.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

failure wrong_kind(kind wanted, const value& found) noexcept {
  return {.code = errc::wrong_kind,
          .expected = static_cast<std::uint64_t>(wanted),
          .found = static_cast<std::uint64_t>(found.type())};
}

/// Version 2 before 0.6 (§5.2): told apart by what is at top level.
void old_dialect(metadata_sections& s) noexcept {
  const auto payload = s.top.find("payload"), common = s.top.find("common"), reserved = s.top.find("reserved");
  if (payload && payload->type() == kind::array) {
    s.base = *payload;
    if (common) s.common = *common;
    s.hidden_top |= hide_old_payload;
    s.hidden_entry |= hide_tensor;
  }
  const bool sections = s.base.type() == kind::array || (payload && payload->type() == kind::map) ||
                        (common && common->type() == kind::map);
  if (reserved && reserved->type() == kind::map && sections) {
    s.reserved = *reserved;
    s.hidden_top |= hide_old_reserved;
  }
}

/// Notes where entries begin. Memory that is missing only means that they are looked for again.
void keep_entries(const archive_state& state, const message_position& message, const metadata_sections& s,
                  std::uint64_t objects) noexcept {
  // More entries than objects are an error or a cut stream: memory follows objects, which have frames behind them.
  if (objects < kept_from || s.base.type() != kind::array || s.base.size() > objects) return;
  if (state.entries().find(message.offset) != nullptr) return;
  const std::unique_ptr<entry_places> fresh(new (std::nothrow) entry_places);
  if (!fresh) return;
  value::step at;
  s.base.first(at);
  try {
    while (value::next(at))
      fresh->list.push_back(static_cast<std::uint64_t>(at.item.tail().data() - s.top.tail().data()));
    state.entries().add(message.offset, std::make_unique<entry_places>(std::move(*fresh)));
  } catch (const std::bad_alloc&) {
  }
}

}  // namespace

failure read_body(const archive_state& state, const message_position& message, const frame_place& place, bool checked,
                  std::span<const std::byte>& out) noexcept {
  const auto& options = state.options();
  const std::uint64_t size = place.header.length - wire::least_frame(place.header.type, message.version);
  const std::uint64_t at = message.offset + place.at + wire::frame_header_size;
  if (size > options.max_metadata_bytes)
    return {.code = errc::metadata_limit, .offset = at, .expected = options.max_metadata_bytes, .found = size};
  failure why;
  out = state.bytes().view(at, size, io::held::structure, why);
  if (why || checked) return why;
  why = cbor::prescan(out, options.max_cbor_depth, cbor::rules::metadata);
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
                      metadata_sections& out) noexcept {
  const auto& place = structure.metadata();
  if (!place) return {.code = errc::no_metadata, .offset = message.offset};
  const bool checked = state.entries().find(message.offset) != nullptr;
  std::span<const std::byte> body;
  if (failure why = read_body(state, message, *place, checked, body)) return why;
  out = {};
  out.top = value(body);
  out.body = message.offset + place->at + wire::frame_header_size;
  out.hidden_top = hide_sections;
  if (message.version == 2) out.hidden_top |= hide_version;

  value::step at;
  bool modern = message.version == 3;
  if (!out.top.first(at)) return {.code = errc::bad_cbor, .offset = out.body};
  while (value::next(at)) {
    const auto key = at.key.tail();
    if (cbor::text_equals(key, "base"))
      out.base = at.item;
    else if (cbor::text_equals(key, "_extra_"))
      out.extra = at.item;
    else if (cbor::text_equals(key, "_reserved_"))
      out.reserved = at.item;
    else
      continue;
    modern = true;
  }
  if (!modern) old_dialect(out);
  if (out.base.type() != kind::null && out.base.type() != kind::array) return wrong_kind(kind::array, out.base);
  keep_entries(state, message, out, structure.objects);
  return {};
}

failure base_entry(const archive_state& state, const message_position& message, const metadata_sections& s,
                   std::uint64_t j, std::uint64_t objects, value& out) noexcept {
  out = {};
  if (s.base.type() != kind::array) return {};
  const auto check = [&](std::uint64_t entries) {
    // The rest of an incomplete stream may have held what its header announced.
    return entries <= objects || message.incomplete
               ? failure{}
               : failure{.code = errc::base_count, .offset = s.body, .expected = objects, .found = entries};
  };
  if (const auto* kept = state.entries().find(message.offset)) {
    const auto& list = kept->value->list;
    if (failure why = check(list.size())) return why;
    if (j >= list.size()) return {};
    const auto all = s.top.tail();
    const std::uint64_t at = list[static_cast<std::size_t>(j)];
    if (at < all.size()) out = value(all.subspan(static_cast<std::size_t>(at)));
  } else {
    if (failure why = check(s.base.size())) return why;
    out = s.base.at(j).value_or(value());
  }
  if (out.type() != kind::map && out.type() != kind::null) return wrong_kind(kind::map, out);
  return {};
}

failure preceder_entry(const archive_state& state, const message_position& message, std::uint64_t at,
                       value& out) noexcept {
  io::window window(state.bytes());
  frame_walk walk(window, frames_of(state, message), walk_start::at(at));
  frame_place place;
  failure why;
  if (walk.next(place, why) != met::frame) return why ? why : failure{.code = errc::bad_preceder};
  std::span<const std::byte> body;
  if ((why = read_body(state, message, place, false, body))) return why;
  const value top(body);
  auto entries = top.find("base");
  if (!entries) entries = top.find("payload");  // release 0.5
  const std::uint64_t count = entries && entries->type() == kind::array ? entries->size() : 0;
  if (count != 1) return {.code = errc::bad_preceder, .offset = message.offset + at, .expected = 1, .found = count};
  out = entries->at(0).value_or(value());
  return out.type() == kind::map ? failure{} : wrong_kind(kind::map, out);
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
