// SPDX-License-Identifier: Apache-2.0
#include <tgmap/message.hpp>

#include <array>

#include "archive/access.hpp"
#include "archive/common_header.hpp"
#include "archive/metadata_layout.hpp"
#include "archive/state.hpp"
#include "cbor/path.hpp"
#include "wire/preamble.hpp"

namespace tgmap {
inline namespace v0 {

using detail::access;

namespace {

/// Object `j` by the frames, remembered for the next time.
failure find_facts(const detail::archive_state& state, const message_position& message, std::uint64_t j,
                   detail::object_facts& facts) noexcept {
  io::window window(state.bytes(), detail::nearby_of(message));
  if (std::uint64_t objects = 0; find_common_object(state, window, message, j, facts, objects)) {
    state.objects().add(message, j, objects, facts);
    return {};
  }
  detail::message_structure structure;
  std::optional<detail::object_place> place;
  failure why = find_object(state, window, message, j, structure, place, j);
  if (!why && !place) why = {.code = errc::out_of_range, .expected = structure.objects, .found = j};
  if (!why) why = read_object(state, window, message, *place, facts);
  if (!why) state.objects().add(message, j, structure.objects, facts);
  return detail::located(why, message, j);
}

/// A list of digests says each thing once: of two lists, readers would differ in which they take.
failure refuse_repeated(const detail::structure_copy& body, std::uint64_t frame) noexcept {
  constexpr std::array<std::string_view, 4> names{"hashes", "algorithm", "hash_type", "object_count"};
  const auto again = cbor::find_repeated(cbor_view(body.bytes()), names);
  if (!again) return {};
  return {.code = errc::duplicate_key, .offset = frame, .found = body.place(*again)};
}

/// For those who go over messages, which are mostly of one size: memory takes as long as looking at a few of them does.
void expect_header_after(const detail::archive_state& state, const message_position& message) noexcept {
  constexpr std::uint64_t ahead = 4;
  state.bytes().expect(message.offset() + ahead * message.length(), detail::header_look);
}

}  // namespace

std::optional<std::size_t> message::index() const noexcept {
  if (const auto known = position_.index()) return static_cast<std::size_t>(*known);
  return state_ == nullptr ? std::nullopt : state_->scan().table().find(position_.offset());
}

std::uint16_t message::flags() const noexcept {
  std::array<std::byte, wire::preamble_size> bytes;
  if (state_ == nullptr || state_->bytes().load(position_.offset(), bytes)) return 0;
  const auto start = wire::parse_preamble(bytes);
  return start ? start->flags : std::uint16_t{0};
}

std::span<const std::byte> message::bytes(failure& why) const noexcept {
  why = {};
  if (state_ == nullptr) return access::none(why);
  const auto out = state_->bytes().view(position_.offset(), position_.length(), io::held::payload, why);
  why = detail::located(why, position_);
  return out;
}

std::size_t message::size(failure& why) const noexcept {
  why = {};
  if (state_ == nullptr) return access::none(why).size();
  if (const auto* known = state_->objects().find(position_); known != nullptr && known->structure)
    return static_cast<std::size_t>(known->structure->objects);
  expect_header_after(*state_, position_);
  io::window window(state_->bytes());
  detail::common_header header;
  if (read_common_header(*state_, window, position_, 0, UINT64_MAX, header))
    return static_cast<std::size_t>(header.objects);
  detail::message_structure structure;
  std::optional<detail::object_place> ignored;
  why = detail::located(find_object(*state_, window, position_, detail::object_sink::none, structure, ignored),
                        position_);
  return why ? 0 : static_cast<std::size_t>(structure.objects);
}

object message::at(std::size_t j, failure& why) const noexcept {
  why = {};
  if (state_ == nullptr) {
    access::none(why);
    return {};
  }
  detail::object_facts facts;
  if (!state_->objects().find(position_, j, facts)) why = find_facts(*state_, position_, j, facts);
  return why ? object() : access::make_object(*state_, position_, j, facts);
}

index_location message::index_location(failure& why) const noexcept {
  why = {};
  if (state_ == nullptr) {
    access::none(why);
    return index_location::none;
  }
  detail::message_structure structure;
  why = find_structure(*state_, position_, structure);
  if (why) return index_location::none;
  if (structure.header_index) return structure.footer_index ? index_location::both : index_location::header;
  return structure.footer_index ? index_location::footer : index_location::none;
}

std::optional<cbor_view> message::hash_list(failure& why) const noexcept {
  why = {};
  if (state_ == nullptr) {
    access::none(why);
    return std::nullopt;
  }
  detail::message_structure structure;
  why = find_structure(*state_, position_, structure);
  if (why || !structure.hashes()) return std::nullopt;
  detail::structure_copy body;
  why = load_body(*state_, position_, *structure.hashes(), body);
  if (!why) why = refuse_repeated(body, position_.offset() + structure.hashes()->at);
  why = detail::located(why, position_);
  return why ? std::nullopt : std::optional(body.lasting(cbor_view(body.bytes())));
}

frame_range message::frames(failure& why) const noexcept {
  why = {};
  if (state_ == nullptr) {
    access::none(why);
    return {};
  }
  if (position_.version() == 1) {
    why = detail::located({.code = errc::version_1}, position_);
    return {};
  }
  return access::make_frames(*state_, position_);
}

namespace {

/// Structure and sections, and the place of one object.
struct looked_up {
  detail::message_structure structure{};
  detail::metadata_sections sections{};
  std::optional<detail::object_place> place{};
};

failure look_up(const detail::archive_state* state, const message_position& message, std::uint64_t object,
                looked_up& out) noexcept {
  if (state == nullptr) return {.code = errc::no_archive};
  io::window window(state->bytes());
  failure why = find_object(*state, window, message, object, out.structure, out.place);
  if (!why && object != detail::object_sink::none && !out.place)
    why = {.code = errc::out_of_range, .expected = out.structure.objects, .found = object};
  if (!why) why = read_sections(*state, message, out.structure, object, out.sections);
  return detail::located(why, message, object == detail::object_sink::none ? optional_index() : object);
}

/// Structure and sections, and the first object where there is one.
failure look_up_first(const detail::archive_state& state, io::window& window, const message_position& message,
                      looked_up& out) noexcept {
  failure why = find_object(state, window, message, 0, out.structure, out.place);
  const std::uint64_t wanted = out.place ? 0 : detail::object_sink::none;
  if (!why) why = read_sections(state, message, out.structure, wanted, out.sections);
  return detail::located(why, message, out.place ? optional_index(0) : std::nullopt);
}

/// The sections of a common message, and the entry of object `wanted`, from its header. False: the message is to be
/// read with more care.
[[gnu::noinline]] bool read_usual_header(const detail::archive_state& state, const message_position& message,
                                         std::uint64_t wanted, detail::metadata_sections& out, failure& why) noexcept {
  io::window window(state.bytes(), detail::nearby_of(message));
  detail::common_header header;
  return read_common_header(state, window, message, detail::header_look, UINT64_MAX, header) &&
         read_usual_sections(state, message, header, wanted, out, why);
}

/// The same, remembered if it can be.
bool look_up_usual(const detail::archive_state& state, const message_position& message, std::uint64_t wanted,
                   detail::metadata_sections& out, failure& why) noexcept {
  if (recall_sections(state, message, wanted, out, why)) return true;
  const auto* const known = state.objects().find(message);
  const bool many = known != nullptr && known->structure;  // which no usual header has
  return !many && read_usual_header(state, message, wanted, out, why);
}

/// Adds the layers of one object: preceder over base entry.
failure add_object(const detail::archive_state& state, const message_position& message, std::uint64_t j,
                   const looked_up& from, std::uint16_t hidden, metadata& out) noexcept {
  if (from.place->preceder != 0) {
    cbor_view entry;
    if (failure why = preceder_entry(state, message, from.place->preceder, entry))
      return detail::located(why, message, j);
    const bool over_entry = !from.sections.entry.bytes_to_end().empty();
    detail::metadata_access::add(out, entry, detail::hide_provenance, over_entry);
  }
  detail::metadata_access::add(out, from.sections.entry,
                               static_cast<std::uint16_t>(from.sections.hidden_entry | hidden));
  return {};
}

}  // namespace

metadata message::metadata(failure& why) const noexcept {
  why = {};
  tgmap::metadata out;
  looked_up found;
  if (state_ == nullptr || !look_up_usual(*state_, position_, detail::object_sink::none, found.sections, why))
    why = look_up(state_, position_, detail::object_sink::none, found);
  if (!why) detail::metadata_access::add_message_wide(out, found.sections);
  return out;
}

message_summary message::summary(failure& why) const noexcept {
  why = {};
  message_summary out;
  if (state_ == nullptr) {
    access::none(why);
    return out;
  }
  io::window window(state_->bytes(), detail::nearby_of(position_));
  expect_header_after(*state_, position_);
  detail::metadata_sections sections;
  detail::common_header header;
  if (read_common_header(*state_, window, position_, detail::header_look, UINT64_MAX, header) &&
      read_usual_sections(*state_, position_, header, 0, sections, why)) {
    out.object_count = static_cast<std::size_t>(header.objects);
    detail::metadata_access::add(out.first_object_metadata, sections.entry, sections.hidden_entry);
    detail::metadata_access::add_message_wide(out.message_metadata, sections);
    return out;
  }
  looked_up found;
  why = look_up_first(*state_, window, position_, found);
  if (!why && found.place)
    why = add_object(*state_, position_, 0, found, detail::hide_nothing, out.first_object_metadata);
  if (why) return out;
  out.object_count = static_cast<std::size_t>(found.structure.objects);
  detail::metadata_access::add_message_wide(out.message_metadata, found.sections);
  return out;
}

metadata message::provenance(failure& why) const noexcept {
  why = {};
  tgmap::metadata out;
  looked_up found;
  why = look_up(state_, position_, detail::object_sink::none, found);
  if (!why) detail::metadata_access::add(out, found.sections.reserved, detail::hide_nothing);
  return out;
}

metadata message::base(std::size_t j, failure& why) const noexcept {
  why = {};
  tgmap::metadata out;
  looked_up found;
  why = look_up(state_, position_, j, found);
  if (!why) why = add_object(*state_, position_, j, found, detail::hide_nothing, out);
  return out;
}

namespace {

/// The same with more care than the usual message needs. Apart: what the usual one needs is small.
[[gnu::noinline]] metadata careful_metadata(const detail::archive_state& state, const object& of,
                                            failure& why) noexcept {
  tgmap::metadata out;
  looked_up found;
  const message_position& message = of.frame().message();
  why = look_up(&state, message, of.index(), found);
  if (!why) why = add_object(state, message, of.index(), found, detail::hide_provenance, out);
  if (!why) detail::metadata_access::add_message_wide(out, found.sections);
  return out;
}

}  // namespace

metadata object::metadata(failure& why) const noexcept {
  // Made where the caller wants it: what was written in pieces and is copied at once waits for each piece.
  tgmap::metadata out;
  const detail::archive_state* const state = access::state(frame_);
  if (state == nullptr) {
    why = {};
    access::none(why);
    return out;
  }
  detail::metadata_sections sections;
  if (!look_up_usual(*state, frame_.message(), index_, sections, why)) {
    out = careful_metadata(*state, *this, why);
  } else if (why) {
    why = detail::located(why, frame_.message(), index_);
  } else {
    detail::metadata_access::add(out, sections.entry, detail::hide_provenance);
    detail::metadata_access::add_message_wide(out, sections);
  }
  return out;
}

}  // namespace v0
}  // namespace tgmap
