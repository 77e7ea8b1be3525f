// SPDX-License-Identifier: Apache-2.0
#include "archive/metadata/metadata_sections.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <string_view>

#include "archive/archive_state.hpp"
#include "archive/metadata/common_sections.hpp"
#include "archive/metadata/legacy_szip.hpp"
#include "cbor/head.hpp"
#include "cbor/prescan.hpp"
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
  return place.header.length - wire::min_frame_size(place.header.type, message.version());
}

std::uint64_t body_offset(const message_position& message, const frame_place& place) noexcept {
  return message.offset() + place.offset + wire::frame_header_size;
}

/// A key, and the layers that hide it.
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

/// Checks if the top level has a visible key. If not, lookups can skip it, instead of walking over all entries of the
/// base for each object.
bool shows_keys(const metadata_snapshot& body, std::uint16_t hidden) noexcept {
  cbor_view::cursor at;
  if (!cbor::first(body.bytes(), at)) return false;
  while (cbor::next(at))
    if (!is_hidden(hidden, [&](std::string_view name) { return cbor::text_equals(at.key.bytes_to_end(), name); }))
      return true;
  return false;
}

/// Finds the sections of version 2 before 0.6 (§5.2), which the keys at top level tell apart.
void find_old_places(const metadata_snapshot& body, section_offsets& out) noexcept {
  const cbor_view top(body.bytes());
  const auto payload = top.find("payload"), common = top.find("common"), reserved = top.find("reserved");
  if (is(payload, cbor_kind::array)) {
    out.base = body.offset_of(*payload);
    if (is(common, cbor_kind::map)) out.common = body.offset_of(*common);
    out.hidden_top |= hide_old_payload;
    out.hidden_entry |= hide_tensor;
  }
  const bool sections = out.base != 0 || is(payload, cbor_kind::map) || is(common, cbor_kind::map);
  if (is(reserved, cbor_kind::map) && sections) {
    out.reserved = body.offset_of(*reserved);
    out.hidden_top |= hide_old_reserved;
  }
}

failure find_places(const metadata_snapshot& body, const message_position& message, std::uint64_t offset,
                    section_offsets& out) noexcept {
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
    // Sections of the wrong kind are ignored; a base of the wrong kind is an error.
    *section = section == &out.base || at.value.kind() == cbor_kind::map ? body.offset_of(at.value) : 0;
  }
  if (!modern) find_old_places(body, out);
  out.free_keys = shows_keys(body, out.hidden_top);
  return {};
}

/// Returns the sections in the bytes of the archive.
metadata_sections sections_of(std::span<const std::byte> body, const section_offsets& places) noexcept {
  return {.top = places.free_keys ? cbor_view(body) : cbor_view(),
          .extra = item_at(body, places.extra),
          .common = item_at(body, places.common),
          .reserved = item_at(body, places.reserved),
          .entry = cbor_view(),
          .hidden_top = places.hidden_top,
          .hidden_entry = places.hidden_entry,
          .wide_paths = nullptr};
}

/// The sections of a body in memory.
struct parsed_body {
  section_offsets places{};
  cbor_view base{};
  std::uint64_t count = 0;  ///< number of base entries
};

failure parse_body(const metadata_snapshot& body, const message_position& message, std::uint64_t offset,
                   parsed_body& out) noexcept {
  if (failure why = find_places(body, message, offset, out.places)) return why;
  out.base = item_at(body.bytes(), out.places.base);
  const cbor_kind is = out.base.kind();
  if (is != cbor_kind::null && is != cbor_kind::array) return wrong_kind(cbor_kind::array, is, offset);
  out.count = is == cbor_kind::array ? out.base.size() : 0;
  return {};
}

std::vector<entry_offset> list_entries(const metadata_snapshot& body, const parsed_body& from, std::uint64_t objects) {
  std::vector<entry_offset> out;
  // More entries than objects are an error, or the stream was cut: memory is bounded by the objects, which have frames.
  out.reserve(static_cast<std::size_t>(std::min(from.count, objects)));
  cbor_view::cursor at;
  if (from.count > 0 && cbor::first(from.base.bytes_to_end(), at))
    while (out.size() < objects && cbor::next(at))
      out.push_back(
          {body.offset_of(at.value) & ~std::uint64_t{0} >> 4, static_cast<std::uint64_t>(at.value.kind()) & 15});
  return out;
}

bool names_legacy_szip(const metadata_snapshot& body, const parsed_body& from) {
  return wrote_legacy_szip(item_at(body.bytes(), from.places.reserved));
}

/// Returns the number of bytes that lookups of message-wide keys walk over.
std::uint64_t wide_size(const metadata_snapshot& body, const section_offsets& places) noexcept {
  const auto size = [&](std::uint64_t at) { return item_at(body.bytes(), at).bytes().size(); };
  return (places.free_keys ? body.bytes().size() : 0) + size(places.extra) + size(places.common);
}

/// Caches the sections of a message with many objects, or why they are refused, so that they are not read again for
/// each object. Does nothing if memory is missing.
void keep(const archive_state& state, const message_position& message, const metadata_snapshot& body,
          const parsed_body& found, const failure& refused, std::uint64_t objects) noexcept {
  message_record* const record = state.objects().find(message);
  if (objects < min_cached_objects || record == nullptr) return;
  try {
    auto added = std::make_unique<metadata_record>();
    added->refused = refused;
    added->sections = found.places;
    added->count = found.count;
    if (!refused) added->list = list_entries(body, found, objects);
    if (!refused && message.version() < 3) added->legacy_szip = names_legacy_szip(body, found);
    if (const std::uint64_t wide = refused ? 0 : wide_size(body, found.places); wide > path_cache::min_metadata_bytes)
      added->wide_paths = std::make_unique<path_cache>(wide);
    const metadata_record* nothing = nullptr;
    if (record->entries.compare_exchange_strong(nothing, added.get(), std::memory_order_acq_rel))
      static_cast<void>(added.release());  // the record owns it now
  } catch (const std::bad_alloc&) {
  }
}

/// Checks the number of base entries, if one of them is wanted.
failure check_count(std::uint64_t count, const message_position& message, const message_structure& structure,
                    std::uint64_t wanted, std::uint64_t offset) noexcept {
  // The missing end of an incomplete stream may have held more objects.
  if (wanted != object_sink::none && count > structure.objects && !message.is_incomplete())
    return {.code = errc::base_count_mismatch, .offset = offset, .expected = structure.objects, .found = count};
  return {};
}

failure check_entry(cbor_kind entry, std::uint64_t offset) noexcept {
  return entry == cbor_kind::map || entry == cbor_kind::null ? failure{} : wrong_kind(cbor_kind::map, entry, offset);
}

const metadata_record* cached_record(const archive_state& state, const message_position& message) noexcept {
  const message_record* const record = state.objects().find(message);
  return record == nullptr ? nullptr : record->entries.load(std::memory_order_acquire);
}

/// Returns sections from the cache. Reads no bytes, because a mapped file may have lost them.
failure sections_of_record(const archive_state& state, const message_position& message,
                           const message_structure& structure, const metadata_record& known, std::uint64_t wanted,
                           metadata_sections& out) noexcept {
  if (known.refused) return known.refused;
  const frame_place& place = *structure.metadata();
  const std::uint64_t offset = body_offset(message, place);
  failure why;
  const auto body = state.bytes().view(offset, body_size(message, place), io::budget::structure, why);
  if (!why) why = check_count(known.count, message, structure, wanted, offset);
  if (why) return why;
  out = sections_of(body, known.sections);
  out.wide_paths = known.wide_paths.get();
  if (wanted >= known.list.size()) return {};
  const entry_offset& entry = known.list[static_cast<std::size_t>(wanted)];
  if (entry.is() == cbor_kind::map) out.entry = item_at(body, entry.offset);
  return check_entry(entry.is(), offset);
}

/// Checks if a failure is about the content of the bytes, not about reading them.
bool is_content_error(const failure& why) noexcept {
  return why.code == make_error_code(errc::bad_cbor) || why.code == make_error_code(errc::cbor_too_deep) ||
         why.code == make_error_code(errc::wrong_kind);
}

/// Checks that the body is one item that is valid metadata.
failure check_body(const archive_state& state, const metadata_snapshot& body, std::uint64_t at) noexcept {
  failure why = cbor::prescan(body.bytes(), state.options().max_cbor_depth, cbor::rules::metadata);
  if (why) why.offset = at;
  return why;
}

failure load_parsed_body(const archive_state& state, const message_position& message,
                         const message_structure& structure, metadata_snapshot& body, parsed_body& out) noexcept {
  const frame_place& place = *structure.metadata();
  failure why = load_body(state, message, place, body);
  if (!why) why = parse_body(body, message, body_offset(message, place), out);
  if (!why || is_content_error(why)) keep(state, message, body, out, why, structure.objects);
  return why;
}

failure take_sections(const metadata_snapshot& body, const parsed_body& found, std::uint64_t wanted,
                      std::uint64_t offset, metadata_sections& out) noexcept {
  out = sections_of(body.in_archive(cbor_view(body.bytes())).bytes_to_end(), found.places);
  const auto entry = wanted < found.count ? found.base.at(wanted) : std::nullopt;
  if (!entry) return {};
  if (entry->kind() == cbor_kind::map) out.entry = body.in_archive(*entry);
  return check_entry(entry->kind(), offset);
}

/// Caches the places of the sections of a message of version 3. With preceders each object has layers of its own, which
/// are not cached.
void remember_places(const archive_state& state, const message_position& message, const message_structure& structure,
                     const metadata_snapshot& body, const parsed_body& found, std::uint64_t wanted,
                     const metadata_sections& sections) noexcept {
  const section_offsets& places = found.places;
  if (message.version() != 3 || structure.preceders != 0 || places.common != 0 || places.hidden_top != hide_sections ||
      places.hidden_entry != hide_nothing)
    return;
  const std::byte* const lasting = body.in_archive(cbor_view(body.bytes())).bytes_to_end().data();
  const auto first = found.count > 0 && wanted != 0 ? found.base.at(0) : std::nullopt;
  // Not cached if another object would be an error: cached results check nothing.
  if (check_count(found.count, message, structure, 0, 0) || (first && check_entry(first->kind(), 0))) return;
  const std::uint64_t entry = sections.entry.bytes_to_end().empty()
                                  ? 0
                                  : static_cast<std::uint64_t>(sections.entry.bytes_to_end().data() - lasting);
  state.objects().add_metadata(message, wanted,
                               {.body_offset = body_offset(message, *structure.metadata()) - message.offset(),
                                .body_size = body.bytes().size(),
                                .extra = places.extra,
                                .first_entry = wanted == 0                 ? entry
                                               : is(first, cbor_kind::map) ? body.offset_of(*first)
                                                                           : 0,
                                .entry = entry,
                                .free_keys = places.free_keys});
}

}  // namespace

failure load_body(const archive_state& state, const message_position& message, const frame_place& place,
                  metadata_snapshot& out) noexcept {
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
  if (const metadata_record* const kept = cached_record(state, message))
    return sections_of_record(state, message, structure, *kept, wanted, out);

  metadata_snapshot body;
  parsed_body found;
  failure why = load_parsed_body(state, message, structure, body, found);
  if (!why) why = check_count(found.count, message, structure, wanted, offset);
  if (!why) why = take_sections(body, found, wanted, offset, out);
  if (!why) remember_places(state, message, structure, body, found, wanted, out);
  if (const metadata_record* const kept = cached_record(state, message)) out.wide_paths = kept->wide_paths.get();
  return why;
}

failure read_szip_writer(const archive_state& state, const message_position& message,
                         const message_structure& structure, bool& legacy) noexcept try {
  if (!structure.metadata()) return {.code = errc::no_metadata, .offset = message.offset()};
  if (const metadata_record* const kept = cached_record(state, message)) {
    legacy = kept->legacy_szip;
    return kept->refused;
  }
  metadata_snapshot body;
  parsed_body found;
  const failure why = load_parsed_body(state, message, structure, body, found);
  if (!why) legacy = names_legacy_szip(body, found);
  return why;
} catch (const std::bad_alloc&) {
  return {.code = errc::out_of_memory};
}

bool cached_sections(const archive_state& state, const message_position& message, std::uint64_t wanted,
                     metadata_sections& out, failure& why) noexcept {
  why = {};
  if (const auto known = state.objects().find_metadata(message, wanted)) {
    const auto body =
        state.bytes().view(message.offset() + known->body_offset, known->body_size, io::budget::structure, why);
    if (!why) out = common_sections_of(body, *known);
    return true;
  }
  const message_record* const record = state.objects().find(message);
  const metadata_record* const kept = record == nullptr ? nullptr : record->entries.load(std::memory_order_acquire);
  if (kept == nullptr || !record->structure || record->structure->preceders != 0) return false;
  why = sections_of_record(state, message, *record->structure, *kept, wanted, out);
  return true;
}

failure preceder_entry(const archive_state& state, const message_position& message, std::uint64_t at,
                       cbor_view& out) noexcept {
  io::window window(state.bytes());
  frame_walk walk(window, frames_of(state, message), walk_start::at(at));
  frame_place place;
  failure why;
  if (walk.next(place, why) != walk_step::frame) return why ? why : failure{.code = errc::bad_preceder};
  metadata_snapshot body;
  if ((why = load_body(state, message, place, body))) return why;
  const cbor_view top(body.bytes());
  auto entries = top.find("base");
  if (!entries) entries = top.find("payload");  // release 0.5
  const std::uint64_t count = is(entries, cbor_kind::array) ? entries->size() : 0;
  if (count != 1) return {.code = errc::bad_preceder, .offset = message.offset() + at, .expected = 1, .found = count};
  const cbor_view entry = entries->at(0).value_or(cbor_view());
  if (entry.kind() != cbor_kind::map) return wrong_kind(cbor_kind::map, entry.kind(), message.offset() + at);
  out = body.in_archive(entry);
  return {};
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
