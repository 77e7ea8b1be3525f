// SPDX-License-Identifier: Apache-2.0
#include "index/message_listing.hpp"

#include <array>
#include <string_view>
#include <tgmap/write/cbor_value.hpp>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/lookup/find_objects.hpp"
#include "archive/lookup/frame_walk.hpp"
#include "archive/metadata/metadata_hash.hpp"
#include "wire/preamble.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

using index_file::listed_message;

/// Appends a number in a form that only compares with itself.
void append_number(std::string& to, std::uint64_t number) {
  to.append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// Returns all that distinguishes layouts, quickly. Only equal layouts have equal keys.
void layout_key(const descriptor& d, std::string& key) {
  key.clear();
  append_number(key, static_cast<std::uint64_t>(d.dtype) | static_cast<std::uint64_t>(d.byte_order) << 8 |
                         d.mask_count << 16 | d.rank() << 32);
  for (const short_name* name : {&d.encoding_name, &d.filter_name, &d.compression_name}) {
    append_number(key, name->view().size());
    key += name->view();
  }
  for (const std::uint64_t extent : d.shape()) append_number(key, extent);
  for (const auto stride : d.strides()) append_number(key, static_cast<std::uint64_t>(stride));
}

cbor_value text(std::string_view from) { return cbor_value(from); }

/// Returns the item of a layout, as docs/index_format.md describes it.
cbor_value layout_item(const descriptor& d, bool in_place) {
  std::vector<cbor_value> strides;
  for (const auto each : d.strides()) strides.emplace_back(each);
  return cbor_value::map({{"dtype", text(to_string_view(d.dtype))},
                          {"byte_order", text(to_string_view(d.byte_order))},
                          {"encoding", text(d.encoding_name.view())},
                          {"filter", text(d.filter_name.view())},
                          {"compression", text(d.compression_name.view())},
                          {"masks", cbor_value(std::uint64_t{d.mask_count})},
                          {"shape", cbor_value::array(d.shape())},
                          {"strides", cbor_value::array(strides)},
                          {"in_place", cbor_value(in_place)}});
}

/// Checks that the bytes are the elements: nothing needs to be undone on a machine of the stored byte order.
bool is_in_place(const descriptor& d, std::uint64_t payload_length) noexcept {
  const auto needed = size_bytes(d.dtype, d.element_count);
  std::array<std::int64_t, max_rank> dense;
  return d.encoding == encoding::none && d.filter == filter::none && d.compression == compression::none &&
         d.mask_count == 0 && needed && *needed == payload_length &&
         dense_strides(d.shape(), d.strides(), element_size(d.dtype), std::span(dense).first(d.rank()));
}

}  // namespace

std::uint32_t message_listing::layout_number(const descriptor& d, bool in_place) {
  layout_key(d, key_);
  key_ += in_place ? '1' : '0';
  if (const auto known = layout_numbers_.find(key_); known != layout_numbers_.end()) return known->second;
  const auto number = static_cast<std::uint32_t>(layouts_.size());
  const cbor_value item = layout_item(d, in_place);
  layouts_.emplace_back(item.encoded().begin(), item.encoded().end());
  layout_numbers_.emplace(key_, number);
  return number;
}

bool message_listing::add_object(const message& m, const object_parts& parts, std::size_t index, failure& why) {
  const object found = access::make_object(*access::state(m), m.position(), index, parts);
  const descriptor d = found.descriptor(why);
  if (why || parts.descriptor_length > UINT32_MAX) return false;
  listed_.descriptors.push_back(d.entries);
  objects_.push_back({.offset = parts.offset,
                      .length = parts.length,
                      .payload_length = parts.payload_length,
                      .descriptor_length = static_cast<std::uint32_t>(parts.descriptor_length),
                      .layout = layout_number(d, is_in_place(d, parts.payload_length))});
  return true;
}

/// Lists the objects of a message, and hashes its metadata. Returns false if it cannot list all objects, with the
/// failure that is the cause if there is one.
bool message_listing::add_objects(const message& m, io::window& window, std::uint64_t& hash, failure& why) {
  const archive_state& state = *access::state(m);
  message_structure structure;
  object_sink found;
  if ((why = find_objects(state, window, m.position(), structure, found))) return false;
  const auto places = found.take_record(true);
  if (places || found.count() == 0) hash = metadata_hash(state, window, m.position(), structure, places.get(), why);
  if (why) return false;
  if (found.count() == 0) return true;
  if (!places || !places->preceders.empty() || found.count() > listed_message::max_objects) return false;
  object_parts parts;
  for (std::size_t j = 0; j < places->objects.size(); ++j) {
    why = read_object_parts(state, window, m.position(), places->place(j), parts);
    if (why || !add_object(m, parts, j, why)) return false;
  }
  return true;
}

failure message_listing::add(const message& m) {
  io::window window(access::state(m)->bytes(), locality_of(m.position()));
  failure why;
  const auto preamble = wire::parse_preamble(window.at(m.offset(), wire::preamble_size, why));
  if (why) return why;
  const std::size_t first = objects_.size();
  std::uint64_t hash = 0;
  listed_.descriptors.clear();
  listed_.are_listed = add_objects(m, window, hash, why);
  if (is_unreadable(why)) return why;  // otherwise the message is listed as it is
  if (!listed_.are_listed) {
    objects_.resize(first);
    listed_.descriptors.clear();
  }
  const bool is_described = columns_.walk(m, listed_, why);
  if (is_unreadable(why)) return why;
  columns_.add(is_described, listed_);
  messages_.push_back({.offset = m.offset(),
                       .length = m.length(),
                       .version = m.position().version(),
                       .flags = preamble ? preamble->flags : std::uint16_t{0},
                       .is_streamed = m.is_streamed(),
                       .is_incomplete = m.is_incomplete(),
                       .has_unlisted_objects = !listed_.are_listed,
                       .first_object = first,
                       .objects = objects_.size() - first,
                       .metadata_hash = hash});
  return {};
}

void message_listing::clear() {
  messages_.clear();
  objects_.clear();
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
