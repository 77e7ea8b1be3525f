// SPDX-License-Identifier: Apache-2.0
// Takes messages of archives apart, so that they can be written again: metadata as values, objects as they are stored.
#include <array>
#include <string>
#include <tgmap/write/new_message.hpp>
#include <utility>
#include <vector>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/lookup/common_message.hpp"
#include "archive/metadata/frame_check.hpp"
#include "archive/metadata/metadata_access.hpp"
#include "archive/object_hash.hpp"
#include "archive/owned_descriptor.hpp"
#include "archive/payload_access.hpp"
#include "cbor/canonical/canonical_map.hpp"
#include "cbor/cbor_value_access.hpp"
#include "write/catch_failure.hpp"
#include "write/frame/provenance_source.hpp"

namespace tgmap {
inline namespace v0 {

using detail::cbor_value_access;
using detail::metadata_access;

namespace {

failure copy_entries(const metadata& metadata, cbor_value& value) {
  failure why;
  const auto entries = metadata.entries();
  std::vector<cbor_value::pair> pairs;
  pairs.reserve(entries.size());
  for (const auto& each : entries) {
    pairs.emplace_back(each.key, cbor_value::copy(each.value, why));
    if (why) return why;
  }
  value = cbor_value::map(pairs);
  return {};
}

/// Copies metadata, which may consist of several maps, to one value and reuses the memory of that value. After a
/// failure the value is unspecified. Errors: those of cbor_value::copy. Throws std::bad_alloc.
failure copy_metadata(const metadata& metadata, cbor_value& value) {
  if (metadata.empty()) return cbor_value_access::copy_map({}, value);
  const auto only = metadata_access::only_map(metadata);
  if (!only || only->kind() != cbor_kind::map) return copy_entries(metadata, value);
  failure why = cbor_value_access::copy(*only, value);
  if (!why && !metadata_access::shows_provenance(metadata)) value.erase("_reserved_", why);
  return why;
}

/// Copies metadata of a message. `unread` is the failure of reading it.
failure copy_metadata(const message& message, const metadata& metadata, const failure& unread, cbor_value& value) {
  if (unread) return unread;
  failure why;
  const auto copy = metadata_copy::of(metadata, why);
  return why ? detail::with_location(why, message.position()) : copy_metadata(copy.keys(), value);
}

/// Removes `_reserved_`, which the library writes, from the keys of an object. Errors: out_of_memory.
failure remove_reserved(cbor_value& base) {
  failure why;
  if (cbor::has_key(base.encoded(), "_reserved_")) base.erase("_reserved_", why);
  return why;
}

}  // namespace

cbor_value cbor_value::copy(const metadata& metadata, failure& why) noexcept {
  cbor_value out;
  why = write::catch_failure([&] {
    failure unread;
    const auto copy = metadata_copy::of(metadata, unread);
    return unread ? unread : copy_metadata(copy.keys(), out);
  });
  return out;
}

cbor_value cbor_value::copy(const metadata& metadata) {
  failure why;
  auto out = copy(metadata, why);
  detail::raise_if(why);
  return out;
}

namespace {

constexpr std::pair<std::string_view, std::string_view> packing_names[] = {
    {"reference_value", "sp_reference_value"},
    {"binary_scale_factor", "sp_binary_scale_factor"},
    {"decimal_scale_factor", "sp_decimal_scale_factor"},
    {"bits_per_value", "sp_bits_per_value"}};

/// Converts a descriptor of version 2 to version 3. Errors: unsupported_upgrade; those of reading an archive.
failure upgrade_descriptor(const object& object, const descriptor& parsed, cbor_value& map) {
  bool is_legacy = false;
  if (write::szip_depends_on_encoder(parsed)) {
    if (failure why = detail::legacy_szip_flags(object, is_legacy)) return why;
    if (is_legacy) return {.code = errc::unsupported_upgrade, .offset = object.frame().offset()};
  }
  map.erase("hash");  // the frame of version 3 has the hash
  if (parsed.encoding != encoding::simple_packing) return {};
  for (const auto& [old_name, new_name] : packing_names)
    if (!map.view().find(new_name)) map.rename(old_name, new_name);
  // Early releases packed any dtype of eight bytes and always decoded to float64; later ones accept only float64.
  map.set("dtype", to_string_view(dtype::float64));
  return {};
}

/// Copies an object without comparing hashes of frames with its keys.
failure copy_object(const message& message, std::size_t j, int version, on_mismatch mismatch, stored_object& out) {
  failure why;
  const object source = message.at(j, why);
  if (why) return why;
  const metadata base = message.base(j, why);
  why = copy_metadata(message, base, why, out.base);
  if (!why) why = remove_reserved(out.base);
  if (why) return why;
  if (message.version() == version) {
    out.source = source;
    out.descriptor = cbor_value::map();
    return {};
  }
  if (version != 3 || message.version() != 2)
    return {.code = errc::unsupported_wire_version,
            .offset = message.offset(),
            .expected = static_cast<std::uint64_t>(message.version()),
            .found = static_cast<std::uint64_t>(version)};
  // The object gets a frame with a new hash.
  if (mismatch == on_mismatch::refuse) why = detail::with_location(detail::check_hash(source), message.position(), j);
  detail::owned_descriptor parsed;
  if (!why) why = parsed.read(source);
  if (!why) out.payload_and_masks = source.payload_and_masks(why);
  if (!why) out.descriptor = cbor_value::copy(parsed.get().entries, why);
  return why ? why : upgrade_descriptor(source, parsed.get(), out.descriptor);
}

}  // namespace

stored_object stored_object::of(const message& message, std::size_t j, int version, on_mismatch mismatch,
                                failure& why) noexcept {
  stored_object out{.descriptor = cbor_value(), .base = cbor_value()};  // null, since an empty map allocates
  why = write::catch_failure([&] {
    failure refused = copy_object(message, j, version, mismatch, out);
    if (!refused && mismatch == on_mismatch::refuse)
      refused = detail::check_key_hashes(*detail::access::state(message), message.position(), j);
    return refused;
  });
  if (why && !why.message) why.message = message.position().index();
  if (why && !why.object) why.object = j;
  return out;
}

stored_object stored_object::of(const message& message, std::size_t j, int version, failure& why) noexcept {
  return of(message, j, version, on_mismatch::refuse, why);
}

stored_object stored_object::of(const message& message, std::size_t j, failure& why) noexcept {
  return of(message, j, 3, why);
}

stored_object stored_object::of(const message& message, std::size_t j, int version) {
  return of(message, j, version, on_mismatch::refuse);
}

stored_object stored_object::of(const message& message, std::size_t j, int version, on_mismatch mismatch) {
  failure why;
  auto out = of(message, j, version, mismatch, why);
  detail::raise_if(why);
  return out;
}

namespace {

/// Adds a place where a list was found.
void add_placement(index_placement& placement, index_placement found) {
  placement = placement == index_placement::none || placement == found ? found : index_placement::both;
}

/// Compares the hash of a frame that is not copied, but made again. `objects`: number of objects before it.
failure check_frame(const frame& one, std::size_t objects, on_mismatch mismatch, std::vector<failure>& taken) {
  if (one.is_object()) return {};
  const auto object = one.type() == frame_type::preceder ? optional_index(objects) : optional_index();
  const failure why = detail::check_frame_hash(one, object);
  if (why.code != errc::hash_mismatch || mismatch == on_mismatch::refuse) return why;
  taken.push_back(why);
  return {};
}

/// Finds the placement of the lists by all frames of a message, and compares the hashes of frames that are made again.
failure find_layout(const message& message, on_mismatch mismatch, stored_message& to) {
  write_options& out = to.options;
  failure why;
  frame each;
  std::size_t objects = 0;
  for (frame_range frames = message.frames(why); !why && frames.next(each, why);) {
    if ((why = check_frame(each, objects, mismatch, to.mismatches))) break;
    if (each.is_object()) ++objects;
    switch (each.type()) {
      case frame_type::header_index: add_placement(out.index, index_placement::header); break;
      case frame_type::footer_index: add_placement(out.index, index_placement::footer); break;
      case frame_type::header_hash: add_placement(out.hash_list, index_placement::header); break;
      case frame_type::footer_hash: add_placement(out.hash_list, index_placement::footer); break;
      default: break;
    }
    if (!out.hashes) out.hashes = each.stored_hash().has_value();
  }
  if (out.hash_list != index_placement::none) out.hashes = true;
  return why;
}

failure load_message_metadata(const message& message, stored_message& out) {
  failure why;
  const metadata extra = message.metadata(why);
  if ((why = copy_metadata(message, extra, why, out.content.extra))) return why;
  const metadata provenance = message.provenance(why);
  return copy_metadata(message, provenance, why, out.content.provenance.emplace());
}

/// Loads an object of a message whose frames find_layout has compared.
failure load_object(const message& message, std::size_t j, std::variant<new_object, stored_object>& out) {
  failure why;
  out = stored_object::of(message, j, message.version(), on_mismatch::take, why);
  return why;
}

/// Loads any message.
failure load_general(const message& message, on_mismatch mismatch, stored_message& out) {
  failure why = find_layout(message, mismatch, out);
  const std::size_t count = why ? 0 : message.size(why);
  if (!why) out.content.objects.resize(count);
  for (std::size_t j = 0; !why && j < count; ++j) why = load_object(message, j, out.content.objects[j]);
  return why ? why : load_message_metadata(message, out);
}

failure load_selected(const message& message, std::span<const std::size_t> numbers, on_mismatch mismatch,
                      stored_message& out) {
  failure why = find_layout(message, mismatch, out);
  if (!why) out.content.objects.resize(numbers.size());
  for (std::size_t k = 0; !why && k < numbers.size(); ++k)
    why = load_object(message, numbers[k], out.content.objects[k]);
  return why ? why : load_message_metadata(message, out);
}

/// Returns an empty stored object in place of `object` and keeps its memory, except a descriptor.
stored_object& reset_object(std::variant<new_object, stored_object>& object) {
  auto* const existing = std::get_if<stored_object>(&object);
  stored_object& out = existing != nullptr ? *existing : object.emplace<stored_object>();
  if (!out.descriptor.empty()) out.descriptor = cbor_value::map();
  out.payload_and_masks = {};
  out.preceder = false;
  return out;
}

/// Fast path for small messages of the usual form: one read, no allocation. Returns false for other messages, after any
/// error, and if a hash does not match; the caller then uses load_general. Bar and factor: see class common_message.
bool load_common(const detail::archive_state& state, const message& message, stored_message& out) {
  detail::common_message common(state, message.position());
  if (!common.read() || !common.header_hashes_match()) return false;
  if (cbor_value_access::copy_map(common.extra(), out.content.extra)) return false;
  if (!out.content.provenance) out.content.provenance.emplace();
  if (cbor_value_access::copy_map(common.reserved(), *out.content.provenance)) return false;
  auto& objects = out.content.objects;
  objects.resize(common.objects());
  for (std::size_t j = 0; j < objects.size(); ++j) {
    cbor_value& base = reset_object(objects[j]).base;
    if (cbor_value_access::copy_map(common.base(j), base) || remove_reserved(base)) return false;
  }
  // find() invalidates the sections that are copied above.
  for (std::size_t j = 0; j < objects.size(); ++j) {
    detail::object_parts parts;
    if (!common.find(j, parts)) return false;
    std::get<stored_object>(objects[j]).source = detail::access::make_object(state, message.position(), j, parts);
  }
  out.options.index = index_placement::header;
  out.options.hash_list = common.has_hash_list() ? index_placement::header : index_placement::none;
  out.options.hashes = common.has_hash_list() || common.states_hash();
  return out.options.hashes || !find_layout(message, on_mismatch::refuse, out);
}

/// Returns options of a message without lists and hashes.
write_options options_without_lists(const message& message) {
  return {.version = message.version(),
          .hashes = false,
          .index = index_placement::none,
          .hash_list = index_placement::none,
          .provenance = {}};
}

failure load_message(const message& message, on_mismatch mismatch, stored_message& out) {
  out.options = options_without_lists(message);
  out.mismatches.clear();
  const auto* const state = detail::access::state(message);
  if (state != nullptr && load_common(*state, message, out)) return {};
  out.options = options_without_lists(message);
  return load_general(message, mismatch, out);
}

}  // namespace

void stored_message::load(const message& message, on_mismatch mismatch, failure& why) noexcept {
  why = write::catch_failure([&] { return load_message(message, mismatch, *this); });
}

void stored_message::load(const message& message, failure& why) noexcept { load(message, on_mismatch::refuse, why); }
void stored_message::load(const message& message) { load(message, on_mismatch::refuse); }

void stored_message::load(const message& message, on_mismatch mismatch) {
  failure why;
  load(message, mismatch, why);
  detail::raise_if(why);
}

void stored_message::load(const message& message, std::span<const std::size_t> objects, on_mismatch mismatch,
                          failure& why) noexcept {
  why = write::catch_failure([&] {
    options = options_without_lists(message);
    mismatches.clear();
    return load_selected(message, objects, mismatch, *this);
  });
}

void stored_message::load(const message& message, std::span<const std::size_t> objects, failure& why) noexcept {
  load(message, objects, on_mismatch::refuse, why);
}

void stored_message::load(const message& message, std::span<const std::size_t> objects) {
  load(message, objects, on_mismatch::refuse);
}

void stored_message::load(const message& message, std::span<const std::size_t> objects, on_mismatch mismatch) {
  failure why;
  load(message, objects, mismatch, why);
  detail::raise_if(why);
}

}  // namespace v0
}  // namespace tgmap
