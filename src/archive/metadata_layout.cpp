// SPDX-License-Identifier: Apache-2.0
#include "archive/metadata_layout.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <new>
#include <string_view>

#include "archive/state.hpp"
#include "cbor/prescan.hpp"
#include "cbor/text.hpp"
#include "cbor/usual_map.hpp"
#include "cbor/walk.hpp"
#include "wire/frame.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

failure wrong_kind(cbor_kind wanted, cbor_kind found, std::uint64_t offset) noexcept {
  return {.code = errc::wrong_kind,
          .offset = offset,
          .expected = static_cast<std::uint64_t>(wanted),
          .found = static_cast<std::uint64_t>(found)};
}

bool is(const std::optional<cbor_view>& item, cbor_kind wanted) noexcept { return item && item->kind() == wanted; }

std::uint64_t body_size(const message_position& message, const frame_place& place) noexcept {
  return place.header.length - wire::least_frame(place.header.type, message.version());
}

std::uint64_t body_offset(const message_position& message, const frame_place& place) noexcept {
  return message.offset() + place.at + wire::frame_header_size;
}

/// Keys that some layers do not show, and in which.
struct hidden_key {
  std::string_view name;
  std::uint16_t layers;
};
constexpr std::array hidden_names{
    hidden_key{"version", hide_version},       hidden_key{"base", hide_sections},
    hidden_key{"_extra_", hide_sections},      hidden_key{"_reserved_", hide_sections | hide_provenance},
    hidden_key{"reserved", hide_old_reserved}, hidden_key{"payload", hide_old_payload},
    hidden_key{"common", hide_old_payload},    hidden_key{"ndim", hide_tensor},
    hidden_key{"shape", hide_tensor},          hidden_key{"strides", hide_tensor},
    hidden_key{"dtype", hide_tensor}};

template <class Equals>
bool is_hidden(std::uint16_t layer, Equals&& equals) noexcept {
  return std::any_of(hidden_names.begin(), hidden_names.end(),
                     [&](const hidden_key& each) { return (layer & each.layers) != 0 && equals(each.name); });
}

/// Checks if a lookup in the top level can find anything. Where it cannot, lookups for each object would still pass
/// over all entries of the base.
bool shows_keys(const structure_copy& body, std::uint16_t hidden) noexcept {
  cbor_view::cursor at;
  if (!cbor::first(body.bytes(), at)) return false;
  while (cbor::next(at))
    if (!is_hidden(hidden, [&](std::string_view name) { return cbor::text_equals(at.key.bytes_to_end(), name); }))
      return true;
  return false;
}

/// Version 2 before 0.6 (§5.2): told apart by what is at top level.
void old_dialect(const structure_copy& body, section_places& out) noexcept {
  const cbor_view top(body.bytes());
  const auto payload = top.find("payload"), common = top.find("common"), reserved = top.find("reserved");
  if (is(payload, cbor_kind::array)) {
    out.base = body.place(*payload);
    if (is(common, cbor_kind::map)) out.common = body.place(*common);
    out.hidden_top |= hide_old_payload;
    out.hidden_entry |= hide_tensor;
  }
  const bool sections = out.base != 0 || is(payload, cbor_kind::map) || is(common, cbor_kind::map);
  if (is(reserved, cbor_kind::map) && sections) {
    out.reserved = body.place(*reserved);
    out.hidden_top |= hide_old_reserved;
  }
}

failure find_places(const structure_copy& body, const message_position& message, std::uint64_t offset,
                    section_places& out) noexcept {
  out = {.hidden_top = hide_sections};
  if (message.version() == 2) out.hidden_top |= hide_version;
  bool modern = message.version() == 3;
  cbor_view::cursor at;
  if (!cbor::first(body.bytes(), at)) return {.code = errc::bad_cbor, .offset = offset};
  while (cbor::next(at)) {
    const auto key = at.key.bytes_to_end();
    std::uint64_t* const section = cbor::text_equals(key, "base")         ? &out.base
                                   : cbor::text_equals(key, "_extra_")    ? &out.extra
                                   : cbor::text_equals(key, "_reserved_") ? &out.reserved
                                                                          : nullptr;
    if (section == nullptr) continue;
    modern = true;
    // Only what means something is kept: a map, and of the base what will be refused too.
    *section = section == &out.base || at.value.kind() == cbor_kind::map ? body.place(at.value) : 0;
  }
  if (!modern) old_dialect(body, out);
  out.free_keys = shows_keys(body, out.hidden_top);
  return {};
}

/// What begins at that place of a body; 0: nothing does.
cbor_view item_at(std::span<const std::byte> body, std::uint64_t at) noexcept {
  return at == 0 || at >= body.size() ? cbor_view() : cbor_view(body.subspan(static_cast<std::size_t>(at)));
}

/// Sections, where they last.
metadata_sections sections_of(std::span<const std::byte> body, const section_places& places) noexcept {
  return {.top = places.free_keys ? cbor_view(body) : cbor_view(),
          .extra = item_at(body, places.extra),
          .common = item_at(body, places.common),
          .reserved = item_at(body, places.reserved),
          .entry = cbor_view(),
          .hidden_top = places.hidden_top,
          .hidden_entry = places.hidden_entry,
          .wide_paths = nullptr};
}

/// A body taken apart, while it is at hand.
struct parts {
  section_places places{};
  cbor_view base{};
  std::uint64_t count = 0;  ///< of base entries
};

failure take_apart(const structure_copy& body, const message_position& message, std::uint64_t offset,
                   parts& out) noexcept {
  if (failure why = find_places(body, message, offset, out.places)) return why;
  out.base = item_at(body.bytes(), out.places.base);
  const cbor_kind is = out.base.kind();
  if (is != cbor_kind::null && is != cbor_kind::array) return wrong_kind(cbor_kind::array, is, offset);
  out.count = is == cbor_kind::array ? out.base.size() : 0;
  return {};
}

std::vector<entry_place> list_entries(const structure_copy& body, const parts& from, std::uint64_t objects) {
  std::vector<entry_place> out;
  // More entries than objects are an error or a cut stream: memory follows objects, which have frames behind them.
  out.reserve(static_cast<std::size_t>(std::min(from.count, objects)));
  cbor_view::cursor at;
  if (from.count > 0 && cbor::first(from.base.bytes_to_end(), at))
    while (out.size() < objects && cbor::next(at))
      out.push_back({body.place(at.value) & ~std::uint64_t{0} >> 4, static_cast<std::uint64_t>(at.value.kind()) & 15});
  return out;
}

/// Checks if a release such as "0.6.1" came before 0.7.0. False for any other text.
bool before_0_7(std::string_view release) noexcept {
  unsigned parts[2] = {0, 0};
  for (unsigned& part : parts) {
    const auto [end, why] = std::from_chars(release.data(), release.data() + release.size(), part);
    if (why != std::errc()) return false;
    release.remove_prefix(static_cast<std::size_t>(end - release.data()));
    if (release.starts_with('.')) release.remove_prefix(1);
  }
  return parts[0] == 0 && parts[1] < 7;
}

bool names_legacy_szip(const structure_copy& body, const parts& from) {
  return wrote_legacy_szip(item_at(body.bytes(), from.places.reserved));
}

/// Bytes that lookups in message-wide keys pass over.
std::uint64_t wide_size(const structure_copy& body, const section_places& places) noexcept {
  const auto size = [&](std::uint64_t at) { return item_at(body.bytes(), at).bytes().size(); };
  return (places.free_keys ? body.bytes().size() : 0) + size(places.extra) + size(places.common);
}

/// Keeps what was found, or why it is refused, when there are many objects: it is not read for each of them again.
/// Memory that is missing only means that it is.
void keep(const archive_state& state, const message_position& message, const structure_copy& body, const parts& found,
          const failure& refused, std::uint64_t objects) noexcept {
  if (objects < kept_from) return;
  try {
    auto fresh = std::make_unique<entry_places>();
    fresh->refused = refused;
    fresh->sections = found.places;
    fresh->count = found.count;
    if (!refused) fresh->list = list_entries(body, found, objects);
    if (!refused && message.version() < 3) fresh->legacy_szip = names_legacy_szip(body, found);
    if (const std::uint64_t wide = refused ? 0 : wide_size(body, found.places); wide > path_cache::worth_it_from)
      fresh->wide_paths = std::make_unique<path_cache>(wide);
    state.entries().add(message.offset(), std::move(fresh));
  } catch (const std::bad_alloc&) {
  }
}

/// What is wrong with the bytes, not with reading them.
bool of_content(const failure& why) noexcept {
  return why.code == make_error_code(errc::bad_cbor) || why.code == make_error_code(errc::cbor_too_deep) ||
         why.code == make_error_code(errc::wrong_kind);
}

/// Whether there may be that many entries, if one of them is asked for.
failure check_count(std::uint64_t count, const message_position& message, const message_structure& structure,
                    std::uint64_t wanted, std::uint64_t offset) noexcept {
  // The rest of an incomplete stream may have held what its header announced.
  if (wanted != object_sink::none && count > structure.objects && !message.is_incomplete())
    return {.code = errc::base_count_mismatch, .offset = offset, .expected = structure.objects, .found = count};
  return {};
}

/// Whether the body is one item that metadata may be.
failure check_body(const archive_state& state, const structure_copy& body, std::uint64_t at) noexcept {
  const std::uint32_t deepest = state.options().max_cbor_depth;
  if (cbor::usual_map top; cbor::read_usual_map(body.bytes(), deepest, top)) return {};
  failure why = cbor::prescan(body.bytes(), deepest, cbor::rules::metadata);
  if (why) why.offset = at;
  return why;
}

failure load_parts(const archive_state& state, const message_position& message, const message_structure& structure,
                   structure_copy& body, parts& out) noexcept {
  const frame_place& place = *structure.metadata();
  failure why = load_body(state, message, place, body);
  if (!why) why = take_apart(body, message, body_offset(message, place), out);
  if (!why || of_content(why)) keep(state, message, body, out, why, structure.objects);
  return why;
}

failure check_entry(cbor_kind entry, std::uint64_t offset) noexcept {
  return entry == cbor_kind::map || entry == cbor_kind::null ? failure{} : wrong_kind(cbor_kind::map, entry, offset);
}

failure take_sections(const structure_copy& body, const parts& found, std::uint64_t wanted, std::uint64_t offset,
                      metadata_sections& out) noexcept {
  out = sections_of(body.lasting(cbor_view(body.bytes())).bytes_to_end(), found.places);
  const auto entry = wanted < found.count ? found.base.at(wanted) : std::nullopt;
  if (!entry) return {};
  if (entry->kind() == cbor_kind::map) out.entry = body.lasting(*entry);
  return check_entry(entry->kind(), offset);
}

/// What the sections of version 3 are when everything is in the usual form. False: they are to be read with more care.
bool read_usual_sections(const archive_state& state, const message_position& message, const quick_header& header,
                         const structure_copy& body, metadata_sections& out) noexcept {
  cbor::usual_map top;
  if (message.version() != 3 || !cbor::read_usual_map(body.bytes(), state.options().max_cbor_depth, top)) return false;
  const auto lasting = body.lasting(cbor_view(body.bytes())).bytes_to_end();
  out = {};
  out.hidden_top = hide_sections;
  bool has_base = false;
  for (const auto& each : std::span(top.entries).first(top.count)) {
    const cbor_view here(lasting.subspan(each.at));
    const bool is_map = each.value.major == cbor::major::map;
    if (each.key == "base") {
      if (each.value.major != cbor::major::array || each.value.argument > header.objects || has_base) return false;
      has_base = true;
      if (each.value.argument == 0) continue;
      const auto first = body.bytes().subspan(each.inside);
      const std::byte* at = first.data();
      cbor::head entry;
      if (!cbor::read_head(at, at + first.size(), entry) || entry.major != cbor::major::map) return false;
      out.entry = cbor_view(lasting.subspan(each.inside));
    } else if (each.key == "_extra_") {
      out.extra = is_map ? here : cbor_view();
    } else if (each.key == "_reserved_") {
      out.reserved = is_map ? here : cbor_view();
    } else {
      out.top = cbor_view(lasting);
    }
  }
  return true;
}

}  // namespace

failure load_body(const archive_state& state, const message_position& message, const frame_place& place,
                  structure_copy& out) noexcept {
  const auto& options = state.options();
  const std::uint64_t size = body_size(message, place), at = body_offset(message, place);
  if (size > options.max_metadata_bytes)
    return {.code = errc::metadata_limit, .offset = at, .expected = options.max_metadata_bytes, .found = size};
  if (failure why = out.load(state.bytes(), at, size)) return why;
  return check_body(state, out, at);
}

bool hides(std::uint16_t hidden, std::string_view key) noexcept {
  return is_hidden(hidden, [&](std::string_view name) { return name == key; });
}

failure read_sections(const archive_state& state, const message_position& message, const message_structure& structure,
                      std::uint64_t wanted, metadata_sections& out) noexcept {
  const auto& place = structure.metadata();
  if (!place) return {.code = errc::no_metadata, .offset = message.offset()};
  const std::uint64_t offset = body_offset(message, *place);
  if (const auto* kept = state.entries().find(message.offset())) {
    // No byte is looked at here: what lies in a mapping may be gone.
    const entry_places& known = *kept->value;
    if (known.refused) return known.refused;
    failure why;
    const auto body = state.bytes().view(offset, body_size(message, *place), io::held::structure, why);
    if (!why) why = check_count(known.count, message, structure, wanted, offset);
    if (why) return why;
    out = sections_of(body, known.sections);
    out.wide_paths = known.wide_paths.get();
    if (wanted >= known.list.size()) return {};
    const entry_place& entry = known.list[static_cast<std::size_t>(wanted)];
    if (entry.is() == cbor_kind::map) out.entry = item_at(body, entry.at);
    return check_entry(entry.is(), offset);
  }

  structure_copy body;
  parts found;
  failure why = load_parts(state, message, structure, body, found);
  if (!why) why = check_count(found.count, message, structure, wanted, offset);
  if (why) return why;
  return take_sections(body, found, wanted, offset, out);
}

failure read_szip_writer(const archive_state& state, const message_position& message,
                         const message_structure& structure, bool& legacy) noexcept try {
  if (!structure.metadata()) return {.code = errc::no_metadata, .offset = message.offset()};
  if (const auto* kept = state.entries().find(message.offset())) {
    legacy = kept->value->legacy_szip;
    return kept->value->refused;
  }
  structure_copy body;
  parts found;
  const failure why = load_parts(state, message, structure, body, found);
  if (!why) legacy = names_legacy_szip(body, found);
  return why;
} catch (const std::bad_alloc&) {
  return {.code = errc::out_of_memory};
}

bool wrote_legacy_szip(const std::optional<std::string>& encoder, const std::optional<std::string>& release) noexcept {
  return (!encoder || *encoder == "tensogram") && (!release || before_0_7(*release));
}

bool wrote_legacy_szip(const cbor_view& reserved) {
  const auto name = reserved.at_path("encoder.name"), release = reserved.at_path("encoder.version");
  const auto text = [](const std::optional<cbor_view>& of) { return of ? std::optional(of->text()) : std::nullopt; };
  return wrote_legacy_szip(text(name), text(release));
}

failure read_sections(const archive_state& state, const message_position& message, const quick_header& header,
                      metadata_sections& out) noexcept {
  structure_copy body;
  failure why = body.adopt(state.bytes(), header.metadata_at, header.metadata);
  if (why || read_usual_sections(state, message, header, body, out)) return why;
  why = check_body(state, body, header.metadata_at);
  parts found;
  if (!why) why = take_apart(body, message, header.metadata_at, found);
  if (!why && found.count > header.objects)
    why = {.code = errc::base_count_mismatch,
           .offset = header.metadata_at,
           .expected = header.objects,
           .found = found.count};
  return why ? why : take_sections(body, found, 0, header.metadata_at, out);
}

failure preceder_entry(const archive_state& state, const message_position& message, std::uint64_t at,
                       cbor_view& out) noexcept {
  io::window window(state.bytes());
  frame_walk walk(window, frames_of(state, message), walk_start::at(at));
  frame_place place;
  failure why;
  if (walk.next(place, why) != met::frame) return why ? why : failure{.code = errc::bad_preceder};
  structure_copy body;
  if ((why = load_body(state, message, place, body))) return why;
  const cbor_view top(body.bytes());
  auto entries = top.find("base");
  if (!entries) entries = top.find("payload");  // release 0.5
  const std::uint64_t count = is(entries, cbor_kind::array) ? entries->size() : 0;
  if (count != 1) return {.code = errc::bad_preceder, .offset = message.offset() + at, .expected = 1, .found = count};
  const cbor_view entry = entries->at(0).value_or(cbor_view());
  if (entry.kind() != cbor_kind::map) return wrong_kind(cbor_kind::map, entry.kind(), message.offset() + at);
  out = body.lasting(entry);
  return {};
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
