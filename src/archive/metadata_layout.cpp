// SPDX-License-Identifier: Apache-2.0
#include "archive/metadata_layout.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <new>
#include <string_view>

#include "archive/state.hpp"
#include "cbor/flat_map_view.hpp"
#include "cbor/head.hpp"
#include "cbor/prescan.hpp"
#include "cbor/skip.hpp"
#include "cbor/text.hpp"
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
  message_record* const record = state.objects().find(message);
  if (objects < kept_from || record == nullptr) return;
  try {
    auto fresh = std::make_unique<entry_places>();
    fresh->refused = refused;
    fresh->sections = found.places;
    fresh->count = found.count;
    if (!refused) fresh->list = list_entries(body, found, objects);
    if (!refused && message.version() < 3) fresh->legacy_szip = names_legacy_szip(body, found);
    if (const std::uint64_t wide = refused ? 0 : wide_size(body, found.places); wide > path_cache::worth_it_from)
      fresh->wide_paths = std::make_unique<path_cache>(wide);
    const entry_places* nothing = nullptr;
    if (record->entries.compare_exchange_strong(nothing, fresh.get(), std::memory_order_acq_rel))
      static_cast<void>(fresh.release());  // the record owns it now
  } catch (const std::bad_alloc&) {
  }
}

/// Whether there may be that many entries, if one of them is asked for.
failure check_count(std::uint64_t count, const message_position& message, const message_structure& structure,
                    std::uint64_t wanted, std::uint64_t offset) noexcept {
  // The rest of an incomplete stream may have held what its header announced.
  if (wanted != object_sink::none && count > structure.objects && !message.is_incomplete())
    return {.code = errc::base_count_mismatch, .offset = offset, .expected = structure.objects, .found = count};
  return {};
}

failure check_entry(cbor_kind entry, std::uint64_t offset) noexcept {
  return entry == cbor_kind::map || entry == cbor_kind::null ? failure{} : wrong_kind(cbor_kind::map, entry, offset);
}

const entry_places* kept_entries(const archive_state& state, const message_position& message) noexcept {
  const message_record* const record = state.objects().find(message);
  return record == nullptr ? nullptr : record->entries.load(std::memory_order_acquire);
}

/// From what is kept: no byte is looked at, for what lies in a mapping may be gone.
failure sections_of_kept(const archive_state& state, const message_position& message,
                         const message_structure& structure, const entry_places& known, std::uint64_t wanted,
                         metadata_sections& out) noexcept {
  if (known.refused) return known.refused;
  const frame_place& place = *structure.metadata();
  const std::uint64_t offset = body_offset(message, place);
  failure why;
  const auto body = state.bytes().view(offset, body_size(message, place), io::held::structure, why);
  if (!why) why = check_count(known.count, message, structure, wanted, offset);
  if (why) return why;
  out = sections_of(body, known.sections);
  out.wide_paths = known.wide_paths.get();
  if (wanted >= known.list.size()) return {};
  const entry_place& entry = known.list[static_cast<std::size_t>(wanted)];
  if (entry.is() == cbor_kind::map) out.entry = item_at(body, entry.at);
  return check_entry(entry.is(), offset);
}

/// Checks if the bytes are at fault, not reading them.
bool of_content(const failure& why) noexcept {
  return why.code == make_error_code(errc::bad_cbor) || why.code == make_error_code(errc::cbor_too_deep) ||
         why.code == make_error_code(errc::wrong_kind);
}

/// Whether the body is one item that metadata may be.
failure check_body(const archive_state& state, const structure_copy& body, std::uint64_t at) noexcept {
  failure why = cbor::prescan(body.bytes(), state.options().max_cbor_depth, cbor::rules::metadata);
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

failure take_sections(const structure_copy& body, const parts& found, std::uint64_t wanted, std::uint64_t offset,
                      metadata_sections& out) noexcept {
  out = sections_of(body.lasting(cbor_view(body.bytes())).bytes_to_end(), found.places);
  const auto entry = wanted < found.count ? found.base.at(wanted) : std::nullopt;
  if (!entry) return {};
  if (entry->kind() == cbor_kind::map) out.entry = body.lasting(*entry);
  return check_entry(entry->kind(), offset);
}

/// Remembers where everything is, if that is what a message of version 3 has. With preceders each object has layers of
/// its own.
void remember_places(const archive_state& state, const message_position& message, const message_structure& structure,
                     const structure_copy& body, const parts& found, std::uint64_t wanted,
                     const metadata_sections& sections) noexcept {
  const section_places& places = found.places;
  if (message.version() != 3 || structure.preceders != 0 || places.common != 0 || places.hidden_top != hide_sections ||
      places.hidden_entry != hide_nothing)
    return;
  const std::byte* const lasting = body.lasting(cbor_view(body.bytes())).bytes_to_end().data();
  const auto first = found.count > 0 && wanted != 0 ? found.base.at(0) : std::nullopt;
  // Nothing is remembered if another object must be refused: a remembered answer checks nothing.
  if (check_count(found.count, message, structure, 0, 0) || (first && check_entry(first->kind(), 0))) return;
  const std::uint64_t entry = sections.entry.bytes_to_end().empty()
                                  ? 0
                                  : static_cast<std::uint64_t>(sections.entry.bytes_to_end().data() - lasting);
  state.objects().add_metadata(message, wanted,
                               {.body_at = body_offset(message, *structure.metadata()) - message.offset(),
                                .body_size = body.bytes().size(),
                                .extra = places.extra,
                                .first_entry = wanted == 0                 ? entry
                                               : is(first, cbor_kind::map) ? body.place(*first)
                                                                           : 0,
                                .entry = entry,
                                .free_keys = places.free_keys});
}

/// The beginning of element `j` of an array in one piece whose elements, maps all, begin at `at`; null: it is not so.
const std::byte* map_element(const std::byte* at, const std::byte* end, std::uint64_t j) noexcept {
  for (; j > 0 && at != nullptr; --j) at = cbor::skip(at, end);
  cbor::head entry;
  const std::byte* behind = at;
  const bool is_map = at != nullptr && cbor::read_head(behind, end, entry) && entry.major == cbor::major::map;
  return is_map ? at : nullptr;
}

/// Where the sections of version 3 are when everything is in the usual form. False: they are to be read with more care.
bool find_usual_places(const archive_state& state, const common_header& header, std::span<const std::byte> body,
                       std::uint64_t wanted, object_memory::metadata_places& out) noexcept {
  cbor::flat_map_view top;
  if (!cbor::read_flat_map(body, state.options().max_cbor_depth, top)) return false;
  bool has_base = false;
  for (const auto& each : std::span(top.entries).first(top.count)) {
    if (each.key == "base") {
      const std::uint64_t count = each.value.argument;
      if (each.value.major != cbor::major::array || count > header.objects || has_base) return false;
      has_base = true;
      const std::byte *const first = body.data() + each.inside, *const end = body.data() + body.size();
      const auto place_of = [&](std::uint64_t j, std::uint64_t& place) {
        const std::byte* const at = map_element(first, end, j);
        if (at != nullptr) place = static_cast<std::uint64_t>(at - body.data());
        return at != nullptr;
      };
      if (count > 0 && !place_of(0, out.first_entry)) return false;
      if (wanted == 0) out.entry = out.first_entry;
      if (wanted > 0 && wanted < count && !place_of(wanted, out.entry)) return false;
    } else if (each.key == "_extra_") {
      out.extra = each.value.major == cbor::major::map ? each.at : 0;
    } else if (each.key != "_reserved_") {
      out.free_keys = true;
    }
  }
  return true;
}

/// The sections of a body that lasts.
metadata_sections usual_sections(std::span<const std::byte> body,
                                 const object_memory::metadata_places& places) noexcept {
  metadata_sections out;
  out.hidden_top = hide_sections;
  out.extra = item_at(body, places.extra);
  out.entry = item_at(body, places.entry);
  if (places.free_keys) out.top = cbor_view(body);
  return out;
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
  if (const entry_places* const kept = kept_entries(state, message))
    return sections_of_kept(state, message, structure, *kept, wanted, out);

  structure_copy body;
  parts found;
  failure why = load_parts(state, message, structure, body, found);
  if (!why) why = check_count(found.count, message, structure, wanted, offset);
  if (!why) why = take_sections(body, found, wanted, offset, out);
  if (!why) remember_places(state, message, structure, body, found, wanted, out);
  return why;
}

failure read_szip_writer(const archive_state& state, const message_position& message,
                         const message_structure& structure, bool& legacy) noexcept try {
  if (!structure.metadata()) return {.code = errc::no_metadata, .offset = message.offset()};
  if (const entry_places* const kept = kept_entries(state, message)) {
    legacy = kept->legacy_szip;
    return kept->refused;
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

bool recall_sections(const archive_state& state, const message_position& message, std::uint64_t wanted,
                     metadata_sections& out, failure& why) noexcept {
  why = {};
  if (const auto known = state.objects().find_metadata(message, wanted)) {
    const auto body = state.bytes().view(message.offset() + known->body_at, known->body_size, io::held::structure, why);
    if (!why) out = usual_sections(body, *known);
    return true;
  }
  const message_record* const record = state.objects().find(message);
  const entry_places* const kept = record == nullptr ? nullptr : record->entries.load(std::memory_order_acquire);
  if (kept == nullptr || !record->structure || record->structure->preceders != 0) return false;
  why = sections_of_kept(state, message, *record->structure, *kept, wanted, out);
  return true;
}

bool read_usual_sections(const archive_state& state, const message_position& message, const common_header& header,
                         std::uint64_t wanted, metadata_sections& out, failure& why) noexcept {
  why = {};
  if (message.version() != 3 || header.metadata.empty()) return false;
  object_memory::metadata_places places{.body_at = header.metadata_at - message.offset(),
                                        .body_size = header.metadata.size()};
  if (!find_usual_places(state, header, header.metadata, wanted, places)) return false;
  const auto body = state.bytes().view(header.metadata_at, places.body_size, io::held::structure, why);
  if (why) return true;
  state.objects().add_metadata(message, wanted, places);
  out = usual_sections(body, places);
  return true;
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
