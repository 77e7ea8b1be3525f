// SPDX-License-Identifier: Apache-2.0
#include <tgmap/message.hpp>

#include <array>
#include <tgmap/enum_names.hpp>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/lookup/common_message.hpp"
#include "archive/lookup/object_counter.hpp"
#include "archive/metadata/metadata_sections.hpp"
#include "cbor/path.hpp"
#include "core/text/enum_table.hpp"
#include "wire/preamble.hpp"

namespace tgmap {
inline namespace v0 {

using detail::access;

namespace {

/// Finds object `j` by the frames and stores it in the cache.
failure find_object_parts(const detail::archive_state& state, const message_position& message, std::uint64_t j,
                          detail::object_parts& parts) noexcept {
  io::window window(state.bytes(), detail::locality_of(message));
  std::uint64_t objects = 0;
  const auto find_listed = [&] {
    // If the place is wrong, the message itself decides.
    detail::object_place listed;
    return state.options().lookup == object_lookup::index &&
           state.scan().listed().find_object(message, j, listed, objects) &&
           !read_object_parts(state, window, message, listed, parts);
  };
  // The header of a message holds that of its first object. For others an index file takes fewer reads.
  bool is_found = j != 0 && find_listed();
  if (!is_found) is_found = find_common_object(state, window, message, j, parts, objects);
  if (!is_found && j == 0) is_found = find_listed();
  if (!is_found) {
    detail::message_structure structure;
    std::optional<detail::object_place> place;
    failure why = find_object(state, window, message, j, structure, place, detail::object_sink::compared::up_to_wanted);
    objects = structure.objects;
    if (!why && !place) why = {.code = errc::out_of_range, .expected = objects, .found = j};
    if (!why) why = read_object_parts(state, window, message, *place, parts);
    if (why) return detail::with_location(state, why, message, j);
  }
  state.objects().add(message, j, objects, parts);
  return {};
}

/// Refuses a hash list with a repeated key: readers would differ in which of two lists they take.
failure check_unique(const detail::metadata_snapshot& body, std::uint64_t frame) noexcept {
  constexpr std::array<std::string_view, 4> names{"hashes", "algorithm", "hash_type", "object_count"};
  const auto again = cbor::find_repeated(cbor_view(body.bytes()), names);
  if (!again) return {};
  return {.code = errc::duplicate_key, .offset = frame, .found = body.offset_of(*again)};
}

}  // namespace

std::optional<std::size_t> message::index() const noexcept {
  if (const auto known = position_.index()) return static_cast<std::size_t>(*known);
  return state_ == nullptr ? std::nullopt : state_->scan().number_at(position_.offset());
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
  const auto out = state_->bytes().view(position_.offset(), position_.length(), io::budget::payload, why);
  why = detail::with_location(why, position_);
  return out;
}

std::span<const std::byte> message::bytes() const {
  return detail::or_throw([&](failure& why) { return bytes(why); });
}

std::size_t message::size(failure& why) const noexcept {
  why = {};
  if (state_ == nullptr) return access::none(why).size();
  if (const auto* known = state_->objects().find(position_); known != nullptr && known->structure)
    return static_cast<std::size_t>(known->structure->objects);
  thread_local detail::object_counter counter;
  if (const auto counted = counter.count(*state_, position_)) {
    counter.pass(*state_, position_);
    return static_cast<std::size_t>(*counted);
  }
  const bool follows = counter.follows(*state_, position_);
  counter.pass(*state_, position_);
  state_->expect_header_after(position_);
  io::window window(state_->bytes(), follows ? io::locality::clustered : io::locality::scattered);
  detail::common_header header;
  if (read_common_header(*state_, window, position_, 0, UINT64_MAX, header)) {
    counter.remember(position_, header);
    return static_cast<std::size_t>(header.objects);
  }
  detail::message_structure structure;
  std::optional<detail::object_place> ignored;
  const failure found = find_object(*state_, window, position_, detail::object_sink::none, structure, ignored);
  why = detail::with_location(*state_, found, position_);
  return why ? 0 : static_cast<std::size_t>(structure.objects);
}

std::size_t message::size() const {
  return detail::or_throw([&](failure& why) { return size(why); });
}

object message::at(std::size_t j, failure& why) const noexcept {
  why = {};
  if (state_ == nullptr) {
    access::none(why);
    return {};
  }
  detail::object_parts parts;
  if (!state_->objects().find(position_, j, parts)) why = find_object_parts(*state_, position_, j, parts);
  return why ? object() : access::make_object(*state_, position_, j, parts);
}

namespace {

/// Slow path of operator[]. Uses the cache, too, for messages of several objects.
[[gnu::noinline]] object find_object_or_throw(const message& message, std::size_t j) {
  const detail::archive_state* const state = detail::access::state(message);
  if (detail::object_parts parts; state != nullptr && state->objects().find(message.position(), j, parts))
    return detail::access::make_object(*state, message.position(), j, parts);
  return detail::or_throw([&message, j](failure& why) { return message.at(j, why); });
}

}  // namespace

object message::operator[](std::size_t j) const {
  // Fast path for the only object of a message. `parts` stays in registers only while nothing else here takes its
  // address.
  const auto number = position_.index();
  if (detail::object_parts parts;
      state_ != nullptr && j == 0 && number && state_->objects().find_single(*number, parts))
    return detail::access::make_object(*state_, position_, j, parts);
  return find_object_or_throw(*this, j);
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

index_location message::index_location() const {
  return detail::or_throw([&](failure& why) { return index_location(why); });
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
  detail::metadata_snapshot body;
  why = load_body(*state_, position_, *structure.hashes(), body);
  if (!why) why = check_unique(body, position_.offset() + structure.hashes()->offset);
  why = detail::with_location(*state_, why, position_);
  return why ? std::nullopt : std::optional(body.in_archive(cbor_view(body.bytes())));
}

std::optional<cbor_view> message::hash_list() const {
  return detail::or_throw([&](failure& why) { return hash_list(why); });
}

frame_range message::frames(failure& why) const noexcept {
  why = {};
  if (state_ == nullptr) {
    access::none(why);
    return {};
  }
  if (position_.version() == 1) {
    why = detail::with_location({.code = errc::version_1}, position_);
    return {};
  }
  return access::make_frames(*state_, position_);
}

frame_range message::frames() const {
  return detail::or_throw([&](failure& why) { return frames(why); });
}

TGMAP_ENUM_NAMES(index_location, 0, "none", "header", "footer", "both")

}  // namespace v0
}  // namespace tgmap
