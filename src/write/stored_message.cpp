// SPDX-License-Identifier: Apache-2.0
#include <tgmap/stored_message.hpp>

#include "archive/access.hpp"
#include "archive/held_metadata.hpp"
#include "archive/quick_message.hpp"
#include "archive/state.hpp"
#include "cbor/item_access.hpp"
#include "write/guarded.hpp"
#include "write/metadata_copy.hpp"

namespace tgmap {
inline namespace v0 {

using detail::item_access;

namespace {

/// Where a list is that may be in both places: readers look into the header first.
void add_place(placing& of, placing found) {
  if (of == placing::none || found == placing::header) of = found;
}

/// The layout, by all frames.
failure find_layout(const message& from, write_options& out) {
  failure why;
  frame each;
  for (frame_range all = from.frames(why); !why && all.next(each, why);) {
    switch (each.type()) {
      case frame_type::header_index: add_place(out.index, placing::header); break;
      case frame_type::footer_index: add_place(out.index, placing::footer); break;
      case frame_type::header_hash: add_place(out.hash_list, placing::header); break;
      case frame_type::footer_hash: add_place(out.hash_list, placing::footer); break;
      default: break;
    }
    if (!out.hashes) out.hashes = each.stored_hash().has_value();
  }
  if (out.hash_list != placing::none) out.hashes = true;
  return why;
}

failure copy_keys(const message& of, const metadata& from, const failure& unread, item& to) {
  detail::held_metadata held;
  failure why = unread ? unread : held.hold(of, from);
  return why ? why : write::copy_metadata(held.what(), to);
}

failure take_keys(const message& from, stored_message& out) {
  failure why;
  const metadata wide = from.metadata(why);
  if ((why = copy_keys(from, wide, why, out.what.extra))) return why;
  const metadata reserved = from.reserved(why);
  return copy_keys(from, reserved, why, out.what.provenance.emplace());
}

failure take_object(const message& from, std::size_t j, std::variant<new_object, stored_object>& out) {
  failure why;
  out = stored_object::of(from, j, from.version(), why);
  return why;
}

failure take_slowly(const message& from, stored_message& out) {
  failure why = find_layout(from, out.layout);
  const std::size_t count = why ? 0 : from.size(why);
  if (!why) out.what.objects.resize(count);
  for (std::size_t j = 0; !why && j < count; ++j) why = take_object(from, j, out.what.objects[j]);
  return why ? why : take_keys(from, out);
}

failure take_some(const message& from, std::span<const std::size_t> numbers, stored_message& out) {
  failure why = find_layout(from, out.layout);
  if (!why) out.what.objects.resize(numbers.size());
  for (std::size_t k = 0; !why && k < numbers.size(); ++k) why = take_object(from, numbers[k], out.what.objects[k]);
  return why ? why : take_keys(from, out);
}

/// An object to be taken whole, in memory that is there.
stored_object& emptied(std::variant<new_object, stored_object>& of) {
  auto* const kept = std::get_if<stored_object>(&of);
  stored_object& out = kept != nullptr ? *kept : of.emplace<stored_object>();
  if (!out.descriptor.empty()) out.descriptor = item::map();
  out.region = {};
  out.preceder = false;
  return out;
}

/// A common small message. False: it is none, or there is something wrong with it.
bool take_quickly(const detail::archive_state& state, const message& from, stored_message& out) {
  detail::quick_message seen(state, from.position());
  if (!seen.read() || item_access::copy_map(seen.extra(), out.what.extra)) return false;
  if (!out.what.provenance) out.what.provenance.emplace();
  if (item_access::copy_map(seen.reserved(), *out.what.provenance)) return false;
  auto& objects = out.what.objects;
  objects.resize(seen.objects());
  for (std::size_t j = 0; j < objects.size(); ++j) {
    item& base = emptied(objects[j]).base;
    if (item_access::copy_map(seen.base(j), base) || write::take_own_keys(base)) return false;
  }
  for (std::size_t j = 0; j < objects.size(); ++j) {
    detail::object_facts facts;
    if (!seen.find(j, facts)) return false;
    std::get<stored_object>(objects[j]).frame = detail::access::make_object(state, from.position(), j, facts);
  }
  out.layout.index = placing::header;
  out.layout.hash_list = seen.hash_list() ? placing::header : placing::none;
  out.layout.hashes = seen.hash_list() || seen.hashes();
  return out.layout.hashes || !find_layout(from, out.layout);
}

write_options nothing_yet(const message& from) {
  return {
      .version = from.version(), .hashes = false, .index = placing::none, .hash_list = placing::none, .provenance = {}};
}

failure take_apart(const message& from, stored_message& out) {
  out.layout = nothing_yet(from);
  const auto* const state = detail::access::state(from);
  if (state != nullptr && take_quickly(*state, from, out)) return {};
  out.layout = nothing_yet(from);
  return take_slowly(from, out);
}

}  // namespace

void stored_message::take(const message& from, failure& why) noexcept {
  why = write::guarded([&] { return take_apart(from, *this); });
}

void stored_message::take(const message& from, std::span<const std::size_t> objects, failure& why) noexcept {
  why = write::guarded([&] {
    layout = nothing_yet(from);
    return take_some(from, objects, *this);
  });
}

void stored_message::take(const message& from) {
  failure why;
  take(from, why);
  detail::raise_if(why);
}

void stored_message::take(const message& from, std::span<const std::size_t> objects) {
  failure why;
  take(from, objects, why);
  detail::raise_if(why);
}

}  // namespace v0
}  // namespace tgmap
