// SPDX-License-Identifier: Apache-2.0
#include <tgmap/write/new_message.hpp>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/lookup/common_message.hpp"
#include "archive/metadata/owned_metadata.hpp"
#include "cbor/cbor_value_access.hpp"
#include "write/guarded.hpp"
#include "write/metadata_copy.hpp"

namespace tgmap {
inline namespace v0 {

using detail::cbor_value_access;

namespace {

/// Where a list is that may be in both places: readers look into the header first.
void add_place(index_placement& of, index_placement found) {
  if (of == index_placement::none || found == index_placement::header) of = found;
}

/// The layout, by all frames.
failure find_layout(const message& from, write_options& out) {
  failure why;
  frame each;
  for (frame_range all = from.frames(why); !why && all.next(each, why);) {
    switch (each.type()) {
      case frame_type::header_index: add_place(out.index, index_placement::header); break;
      case frame_type::footer_index: add_place(out.index, index_placement::footer); break;
      case frame_type::header_hash: add_place(out.hash_list, index_placement::header); break;
      case frame_type::footer_hash: add_place(out.hash_list, index_placement::footer); break;
      default: break;
    }
    if (!out.hashes) out.hashes = each.stored_hash().has_value();
  }
  if (out.hash_list != index_placement::none) out.hashes = true;
  return why;
}

failure copy_keys(const message& of, const metadata& from, const failure& unread, cbor_value& to) {
  detail::owned_metadata held;
  failure why = unread ? unread : held.assign(of, from);
  return why ? why : write::copy_metadata(held.get(), to);
}

failure take_keys(const message& from, stored_message& out) {
  failure why;
  const metadata wide = from.metadata(why);
  if ((why = copy_keys(from, wide, why, out.content.extra))) return why;
  const metadata reserved = from.provenance(why);
  return copy_keys(from, reserved, why, out.content.provenance.emplace());
}

failure take_object(const message& from, std::size_t j, std::variant<new_object, stored_object>& out) {
  failure why;
  out = stored_object::of(from, j, from.version(), why);
  return why;
}

failure take_slowly(const message& from, stored_message& out) {
  failure why = find_layout(from, out.options);
  const std::size_t count = why ? 0 : from.size(why);
  if (!why) out.content.objects.resize(count);
  for (std::size_t j = 0; !why && j < count; ++j) why = take_object(from, j, out.content.objects[j]);
  return why ? why : take_keys(from, out);
}

failure take_some(const message& from, std::span<const std::size_t> numbers, stored_message& out) {
  failure why = find_layout(from, out.options);
  if (!why) out.content.objects.resize(numbers.size());
  for (std::size_t k = 0; !why && k < numbers.size(); ++k) why = take_object(from, numbers[k], out.content.objects[k]);
  return why ? why : take_keys(from, out);
}

/// An object to be taken whole, in memory that is there.
stored_object& emptied(std::variant<new_object, stored_object>& of) {
  auto* const kept = std::get_if<stored_object>(&of);
  stored_object& out = kept != nullptr ? *kept : of.emplace<stored_object>();
  if (!out.descriptor.empty()) out.descriptor = cbor_value::map();
  out.payload_and_masks = {};
  out.preceder = false;
  return out;
}

/// A common small message. False: it is none, or there is something wrong with it.
bool take_quickly(const detail::archive_state& state, const message& from, stored_message& out) {
  detail::common_message seen(state, from.position());
  if (!seen.read() || cbor_value_access::copy_map(seen.extra(), out.content.extra)) return false;
  if (!out.content.provenance) out.content.provenance.emplace();
  if (cbor_value_access::copy_map(seen.reserved(), *out.content.provenance)) return false;
  auto& objects = out.content.objects;
  objects.resize(seen.objects());
  for (std::size_t j = 0; j < objects.size(); ++j) {
    cbor_value& base = emptied(objects[j]).base;
    if (cbor_value_access::copy_map(seen.base(j), base) || write::take_own_keys(base)) return false;
  }
  for (std::size_t j = 0; j < objects.size(); ++j) {
    detail::object_parts facts;
    if (!seen.find(j, facts)) return false;
    std::get<stored_object>(objects[j]).source = detail::access::make_object(state, from.position(), j, facts);
  }
  out.options.index = index_placement::header;
  out.options.hash_list = seen.hash_list() ? index_placement::header : index_placement::none;
  out.options.hashes = seen.hash_list() || seen.hashes();
  return out.options.hashes || !find_layout(from, out.options);
}

write_options nothing_yet(const message& from) {
  return {.version = from.version(),
          .hashes = false,
          .index = index_placement::none,
          .hash_list = index_placement::none,
          .provenance = {}};
}

failure take_apart(const message& from, stored_message& out) {
  out.options = nothing_yet(from);
  const auto* const state = detail::access::state(from);
  if (state != nullptr && take_quickly(*state, from, out)) return {};
  out.options = nothing_yet(from);
  return take_slowly(from, out);
}

}  // namespace

void stored_message::load(const message& from, failure& why) noexcept {
  why = write::guarded([&] { return take_apart(from, *this); });
}

void stored_message::load(const message& from, std::span<const std::size_t> objects, failure& why) noexcept {
  why = write::guarded([&] {
    options = nothing_yet(from);
    return take_some(from, objects, *this);
  });
}

void stored_message::load(const message& from) {
  failure why;
  load(from, why);
  detail::raise_if(why);
}

void stored_message::load(const message& from, std::span<const std::size_t> objects) {
  failure why;
  load(from, objects, why);
  detail::raise_if(why);
}

}  // namespace v0
}  // namespace tgmap
