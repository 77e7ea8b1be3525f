// SPDX-License-Identifier: Apache-2.0
// Metadata of messages and objects: combines the sections of a metadata frame into layers, specification §5.3.
#include <optional>
#include <tgmap/message.hpp>
#include <tgmap/object.hpp>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/lookup/common_message.hpp"
#include "archive/metadata/common_sections.hpp"
#include "archive/metadata/metadata_access.hpp"

namespace tgmap {
inline namespace v0 {

using detail::access;

namespace {

/// The structure and the sections of a message, and the place of one object.
struct message_lookup {
  detail::message_structure structure{};
  detail::metadata_sections sections{};
  std::optional<detail::object_place> place{};
};

failure look_up(const detail::archive_state* state, const message_position& message, std::uint64_t object,
                message_lookup& out) noexcept {
  if (state == nullptr) return {.code = errc::no_archive};
  io::window window(state->bytes());
  failure why = find_object(*state, window, message, object, out.structure, out.place);
  if (!why && object != detail::object_sink::none && !out.place)
    why = {.code = errc::out_of_range, .expected = out.structure.objects, .found = object};
  if (!why) why = read_sections(*state, message, out.structure, object, out.sections);
  return detail::with_location(*state, why, message, object == detail::object_sink::none ? optional_index() : object);
}

/// Reads the structure and the sections of a message, and the first object if there is one.
failure look_up_first(const detail::archive_state& state, io::window& window, const message_position& message,
                      message_lookup& out) noexcept {
  failure why = find_object(state, window, message, 0, out.structure, out.place);
  const std::uint64_t wanted = out.place ? 0 : detail::object_sink::none;
  if (!why) why = read_sections(state, message, out.structure, wanted, out.sections);
  return detail::with_location(state, why, message, out.place ? optional_index(0) : std::nullopt);
}

/// Fast path: reads the sections of a common message, and the entry of object `wanted`, from its header. Returns false
/// for other messages. Bar and factor: see common_message.hpp.
[[gnu::noinline]] bool read_header_sections(const detail::archive_state& state, const message_position& message,
                                            std::uint64_t wanted, detail::metadata_sections& out,
                                            failure& why) noexcept {
  io::window window(state.bytes(), detail::locality_of(message));
  detail::common_header header;
  return read_common_header(state, window, message, detail::header_read_size, UINT64_MAX, header) &&
         read_common_sections(state, message, header, wanted, out, why);
}

/// Returns false for messages of many objects, whose structure is cached. They have no common header.
bool may_be_common(const detail::archive_state& state, const message_position& message) noexcept {
  const auto* const known = state.objects().find(message);
  return known == nullptr || !known->structure;
}

/// Returns the sections from the cache, then without reserved keys. If they are not cached, reads the header.
bool find_sections(const detail::archive_state& state, const message_position& message, std::uint64_t wanted,
                   detail::metadata_sections& out, failure& why) noexcept {
  return cached_sections(state, message, wanted, out, why) ||
         (may_be_common(state, message) && read_header_sections(state, message, wanted, out, why));
}

/// Finds the metadata of a message that is known to have one object. Returns false for any other message.
bool find_cached_summary(const detail::archive_state& state, const message_position& message,
                         detail::metadata_sections& out, failure& why) noexcept {
  if (!message.index()) return false;
  detail::object_parts object;
  const auto known = state.objects().find_metadata(message, 0);
  const bool has_one = (known && known->has_one_object) ||
                       state.objects().find_single(static_cast<std::size_t>(*message.index()), object);
  return has_one && cached_sections(state, message, 0, out, why);
}

/// Adds the layers of an object: the preceder over its base entry.
failure add_object(const detail::archive_state& state, const message_position& message, std::uint64_t j,
                   const message_lookup& from, std::uint16_t hidden, metadata& out) noexcept {
  if (from.place->preceder != 0) {
    cbor_view entry;
    if (failure why = preceder_entry(state, message, from.place->preceder, entry))
      return detail::with_location(state, why, message, j);
    const bool over_entry = !from.sections.entry.bytes_to_end().empty();
    detail::metadata_access::add(out, state, entry, detail::hide_provenance, over_entry);
  }
  detail::metadata_access::add(out, state, from.sections.entry,
                               static_cast<std::uint16_t>(from.sections.hidden_entry | hidden));
  return {};
}

}  // namespace

metadata message::metadata(failure& why) const noexcept {
  why = {};
  tgmap::metadata out;
  message_lookup found;
  if (state_ == nullptr || !find_sections(*state_, position_, detail::object_sink::none, found.sections, why))
    why = look_up(state_, position_, detail::object_sink::none, found);
  else if (why)
    why = detail::with_location(*state_, why, position_);
  if (!why && state_ != nullptr) detail::metadata_access::add_message_wide(out, *state_, found.sections);
  return out;
}

metadata message::metadata() const {
  return detail::or_throw([&](failure& why) { return metadata(why); });
}

message_summary message::summary(failure& why) const noexcept {
  why = {};
  message_summary out;
  if (state_ == nullptr) {
    access::none(why);
    return out;
  }
  detail::metadata_sections sections;
  detail::common_header header;
  header.objects = 1;
  io::window window(state_->bytes(), detail::locality_of(position_));
  bool found_all = find_cached_summary(*state_, position_, sections, why);
  if (!found_all) {
    state_->expect_header_after(position_);
    found_all = read_common_header(*state_, window, position_, detail::header_read_size, UINT64_MAX, header) &&
                read_common_sections(*state_, position_, header, 0, sections, why);
  }
  if (found_all) {
    if (why) why = detail::with_location(*state_, why, position_);
    if (why) return out;
    out.object_count = static_cast<std::size_t>(header.objects);
    detail::metadata_access::add(out.first_object_metadata, *state_, sections.entry, sections.hidden_entry);
    detail::metadata_access::add_message_wide(out.message_metadata, *state_, sections);
    return out;
  }
  message_lookup found;
  why = look_up_first(*state_, window, position_, found);
  if (!why && found.place)
    why = add_object(*state_, position_, 0, found, detail::hide_nothing, out.first_object_metadata);
  if (why) return out;
  out.object_count = static_cast<std::size_t>(found.structure.objects);
  detail::metadata_access::add_message_wide(out.message_metadata, *state_, found.sections);
  return out;
}

message_summary message::summary() const {
  return detail::or_throw([&](failure& why) { return summary(why); });
}

metadata message::provenance(failure& why) const noexcept {
  why = {};
  tgmap::metadata out;
  message_lookup found;
  if (state_ == nullptr || !may_be_common(*state_, position_) ||
      !read_header_sections(*state_, position_, detail::object_sink::none, found.sections, why))
    why = look_up(state_, position_, detail::object_sink::none, found);
  else if (why)
    why = detail::with_location(*state_, why, position_);
  if (!why && state_ != nullptr)
    detail::metadata_access::add(out, *state_, found.sections.reserved, detail::hide_nothing);
  return out;
}

metadata message::provenance() const {
  return detail::or_throw([&](failure& why) { return provenance(why); });
}

metadata message::base(std::size_t j, failure& why) const noexcept {
  why = {};
  tgmap::metadata out;
  message_lookup found;
  why = look_up(state_, position_, j, found);
  if (!why && state_ != nullptr) why = add_object(*state_, position_, j, found, detail::hide_nothing, out);
  return out;
}

metadata message::base(std::size_t j) const {
  return detail::or_throw([&](failure& why) { return base(j, why); });
}

namespace {

/// General form of object::metadata. Not inlined, so that the common path stays small.
[[gnu::noinline]] metadata general_metadata(const detail::archive_state& state, const object& object,
                                            failure& why) noexcept {
  tgmap::metadata out;
  message_lookup found;
  const message_position& message = object.frame().message();
  why = look_up(&state, message, object.index(), found);
  if (!why) why = add_object(state, message, object.index(), found, detail::hide_provenance, out);
  if (!why) detail::metadata_access::add_message_wide(out, state, found.sections);
  return out;
}

}  // namespace

metadata object::metadata(failure& why) const noexcept {
  // Constructed in the caller's storage. A copy would read members that were just written one by one, and stall until
  // the processor has stored each.
  tgmap::metadata out;
  const detail::archive_state* const state = access::state(frame_);
  if (state == nullptr) {
    why = {};
    access::none(why);
    return out;
  }
  detail::metadata_sections sections;
  if (!find_sections(*state, frame_.message(), index_, sections, why)) {
    out = general_metadata(*state, *this, why);
  } else if (why) {
    why = detail::with_location(*state, why, frame_.message(), index_);
  } else {
    detail::metadata_access::add(out, *state, sections.entry, detail::hide_provenance);
    detail::metadata_access::add_message_wide(out, *state, sections);
  }
  if (why) return out;
  const byte_range descriptor = access::descriptor_of(*this);
  detail::metadata_access::set_descriptor(out, descriptor.offset, descriptor.size);
  return out;
}

metadata object::metadata() const {
  return detail::or_throw([&](failure& why) { return metadata(why); });
}

}  // namespace v0
}  // namespace tgmap
