// SPDX-License-Identifier: Apache-2.0
#include <tgmap/query/metadata_key.hpp>

#include <algorithm>
#include <new>
#include <set>
#include <string>
#include <vector>

#include "archive/property_names.hpp"
#include "core/text/hex.hpp"
#include "core/text/nearest_key.hpp"
#include "query/object_kind.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

key_result find_in(metadata_copy& in, std::string_view path, failure& why) noexcept {
  const auto item = in.find(path, why);
  return item ? key_result(*item) : key_result();
}

}  // namespace

/// Looks keys up in an object of the message from now on, which has at least one object or is asked for the first one.
void key_lookup::enter_object(std::size_t j) noexcept {
  in_object_ = true;
  named_.reset();  // of the message it may be another object
  name_owner_.reset();
  if (j == number_) return;
  number_ = j;
  object_.reset();
  object_metadata_.reset();
  descriptor_.reset();
  descriptor_copy_.reset();
}

void key_lookup::leave_object() noexcept {
  enter_object(0);
  in_object_ = false;
}

/// Returns the number of objects. Reads metadata only if it was read before.
std::size_t key_lookup::object_count(failure& why) noexcept {
  return object_count_ ? *object_count_ : message_.size(why);
}

/// Returns true if the object that was entered exists.
bool key_lookup::has_object(failure& why) noexcept {
  return number_ != 0 || object_ || (!has_no_objects_ && object_count(why) != 0);
}

/// Returns true if the objects of a message may differ in a key.
bool key_lookup::varies_by_object(const metadata_key& key) noexcept {
  const bool has_property = key.property_.has_value();
  switch (key.scope_) {
    case metadata_key::scope::none:
    case metadata_key::scope::message_wide: return false;
    case metadata_key::scope::property_only: return has_property && *key.property_ < detail::property::message;
    case metadata_key::scope::any: break;
  }
  return true;
}

bool key_lookup::load_summary(failure& why) noexcept {
  if (object_count_) return true;
  const message_summary summary = message_.summary(why);
  if (!why) first_object_ = metadata_copy::of(summary.first_object_metadata, why);
  if (!why) message_wide_ = metadata_copy::of(summary.message_metadata, why);
  if (!why) object_count_ = summary.object_count;
  return object_count_.has_value();
}

bool key_lookup::load_object_metadata(failure& why) noexcept {
  if (!object_metadata_) {
    const metadata loaded = is_of_message_ ? message_.base(number_, why) : object_->metadata(why);
    auto copy = why ? metadata_copy() : metadata_copy::of(loaded, why);
    if (!why) object_metadata_ = std::move(copy);
  }
  return object_metadata_.has_value();
}

/// Finds a path in the own keys of an object, and keeps them if the result borrows from them.
key_result key_lookup::find_in_other(std::size_t j, std::string_view path, failure& why) noexcept try {
  if (const auto known = others_.find(j); known != others_.end()) return find_in(known->second, path, why);
  const metadata loaded = message_.base(j, why);
  auto copy = why ? metadata_copy() : metadata_copy::of(loaded, why);
  const key_result found = why ? key_result() : find_in(copy, path, why);
  if (found) others_.emplace(j, std::move(copy));
  return found;
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return {};
}

key_result key_lookup::find_in_objects(std::string_view path, failure& why) noexcept {
  key_result found = find_in(first_object_, path, why);
  for (std::size_t j = 1; j < *object_count_ && !found && !why; ++j) found = find_in_other(j, path, why);
  return found;
}

/// Finds a path in the own keys of the object that was entered.
key_result key_lookup::find_in_entered(std::string_view path, failure& why) noexcept {
  if (number_ == 0) return find_in(first_object_, path, why);
  return load_object_metadata(why) ? find_in(*object_metadata_, path, why) : key_result();
}

/// Finds the name in the descriptor of the entered object, or of the first object that has one. An object that cannot
/// be read has none.
key_result key_lookup::find_descriptor_name(failure& why) noexcept {
  const auto name_in = [](const tgmap::descriptor& of) {
    const auto found = of.entries.find("name");
    return found ? key_result(*found) : key_result();
  };
  // A descriptor that is wrong otherwise may still have a name.
  const auto name_in_metadata = [&](const tgmap::object& of) {
    failure unread;
    const metadata loaded = of.metadata(unread);
    if (!unread) named_ = metadata_copy::of(loaded, why);
    return unread || why ? key_result() : find_in(*named_, "name", why);
  };
  if (named_) return find_in(*named_, "name", why);
  if (name_owner_) return name_in(*name_owner_);
  failure unread;
  key_result found;
  if (in_object_) {
    if (!load_object(unread)) return {};
    if (copy_descriptor(unread)) return name_in(*descriptor_copy_);
    found = name_in_metadata(*object_);
  } else {
    for (std::size_t j = 0; j < *object_count_ && !found && !why; ++j) {
      const tgmap::object each = message_.at(j, unread);
      if (unread) continue;
      named_.reset();
      name_owner_ = shared_descriptor(each, unread);
      found = name_owner_ ? name_in(*name_owner_) : name_in_metadata(each);
    }
  }
  if (!found) {
    named_.reset();
    name_owner_.reset();
  }
  return found;
}

key_result key_lookup::find_metadata(const metadata_key& wanted, failure& why) noexcept {
  const std::string_view path = std::string_view(wanted.text_).substr(wanted.path_begin_);
  const bool is_message_wide = wanted.scope_ == metadata_key::scope::message_wide;
  if (!is_of_message_ && !is_message_wide)
    return load_object_metadata(why) ? find_in(*object_metadata_, path, why) : key_result();
  if (!load_summary(why)) return {};
  if (!is_message_wide && !wanted.is_reserved_) {
    const key_result found = in_object_ ? find_in_entered(path, why) : find_in_objects(path, why);
    if (found || why) return found;
  }
  const key_result found = find_in(message_wide_, path, why);
  return found || why || is_message_wide || path != "name" ? found : find_descriptor_name(why);
}

/// Returns true if the key is `version` of a message: the wire version, as in the reference implementation, even if
/// metadata has such a key.
bool key_lookup::is_wire_version(const metadata_key& wanted, failure& why) noexcept {
  if (wanted.text_ != "version") return false;
  if (!in_object_) return true;
  return is_of_message_ && load_summary(why) && *object_count_ == 0;
}

key_result key_lookup::find(const metadata_key& wanted, failure& why) noexcept {
  why = {};
  if (wanted.scope_ == metadata_key::scope::none) return {};
  const bool skips_metadata = wanted.scope_ == metadata_key::scope::property_only || is_wire_version(wanted, why);
  if (why) return {};
  if (!skips_metadata && message_.version() != 1) {
    const key_result found = find_metadata(wanted, why);
    if (why && !why.message) why.message = message_.index();
    if (found || why) return found;
  }
  return wanted.property_ ? find_property(wanted, why) : key_result();
}

key_result key_lookup::find(const metadata_key& wanted) {
  failure why;
  const key_result out = find(wanted, why);
  detail::raise_if(why);
  return out;
}

namespace {

using detail::property;

/// Returns a list, or one element of it.
key_result list_or_element(std::span<const std::uint64_t> list, std::optional<std::uint64_t> element) noexcept {
  if (!element) return key_result(list);
  return *element < list.size() ? key_result(list[static_cast<std::size_t>(*element)]) : key_result();
}

/// Returns the strides of a descriptor as unsigned numbers. None is negative.
std::span<const std::uint64_t> unsigned_strides(std::span<const std::int64_t> strides) noexcept {
  return {reinterpret_cast<const std::uint64_t*>(strides.data()), strides.size()};
}

/// Returns nothing if the number does not fit 64 bits.
key_result number_or_nothing(std::optional<std::uint64_t> n) noexcept { return n ? key_result(*n) : key_result(); }

}  // namespace

bool key_lookup::load_object(failure& why) noexcept {
  if (object_ || has_no_objects_ || message_.version() == 1) return object_.has_value();
  const tgmap::object wanted = message_.at(number_, why);
  if (number_ == 0 && why.code == make_error_code(errc::out_of_range)) {
    has_no_objects_ = true;
    why = {};
  } else if (!why) {
    object_ = wanted;
  }
  return object_.has_value();
}

bool key_lookup::load_descriptor(failure& why) noexcept {
  if (descriptor_ || descriptor_copy_ || !load_object(why)) return descriptor_ || descriptor_copy_;
  const tgmap::descriptor loaded = object_->descriptor(why);
  if (!why) descriptor_ = loaded;
  return descriptor_.has_value();
}

/// Loads the descriptor with its bytes. Allocates; load_descriptor() does not.
bool key_lookup::copy_descriptor(failure& why) noexcept {
  if (!descriptor_copy_ && load_object(why)) descriptor_copy_ = shared_descriptor(*object_, why);
  return descriptor_copy_ != nullptr;
}

key_result key_lookup::find_descriptor_property(property wanted, std::optional<std::uint64_t> element,
                                                failure& why) noexcept {
  if (!load_descriptor(why)) return {};
  const tgmap::descriptor& descriptor = descriptor_copy_ ? *descriptor_copy_ : *descriptor_;
  switch (wanted) {
    case property::dtype: return key_result(to_string_view(descriptor.dtype));
    case property::shape: return list_or_element(descriptor.shape(), element);
    case property::strides: return list_or_element(unsigned_strides(descriptor.strides()), element);
    case property::ndim: return key_result(std::uint64_t{descriptor.shape().size()});
    case property::encoding: return key_result(descriptor.encoding_name.view());
    case property::filter: return key_result(descriptor.filter_name.view());
    case property::compression: return key_result(descriptor.compression_name.view());
    case property::byte_order: return key_result(to_string_view(descriptor.byte_order));
    case property::elements: return key_result(descriptor.element_count);
    case property::decoded: return number_or_nothing(size_bytes(descriptor.dtype, descriptor.element_count));
    case property::masks: return key_result(std::uint64_t{descriptor.masks().size()});
    case property::kind:
      return key_result(
          query::object_kind(descriptor.dtype, descriptor.byte_order, descriptor.shape(), descriptor.strides()));
    default: return {};
  }
}

key_result key_lookup::find_object_property(property wanted, failure& why) noexcept {
  if (!load_object(why)) return {};
  switch (wanted) {
    case property::object: return in_object_ ? key_result(std::uint64_t{object_->index()}) : key_result();
    case property::payload: return key_result(object_->payload_offset());
    case property::stored: return key_result(object_->payload_size());
    case property::hash: {
      const auto digest = object_->stored_hash();
      if (!digest) return {};
      hash_ = core::hex_digits(*digest);
      return key_result(std::string_view(hash_.data(), hash_.size()));
    }
    default: return {};
  }
}

key_result key_lookup::find_property(const metadata_key& wanted, failure& why) noexcept {
  switch (*wanted.property_) {
    case property::message: {
      const auto index = message_.index();
      return index ? key_result(std::uint64_t{*index}) : key_result();
    }
    case property::offset: return key_result(message_.offset());
    case property::length: return key_result(message_.length());
    case property::version: return key_result(static_cast<std::uint64_t>(message_.version()));
    case property::streamed: return key_result(message_.is_streamed());
    case property::incomplete: return key_result(message_.is_incomplete());
    case property::index_location: {
      if (message_.version() == 1) return {};
      const tgmap::index_location location = message_.index_location(why);
      return why ? key_result() : key_result(to_string_view(location));
    }
    case property::objects: {
      if (message_.version() == 1) return {};
      const std::uint64_t count = message_.size(why);
      return why ? key_result() : key_result(count);
    }
    case property::object:
    case property::payload:
    case property::stored:
    case property::hash: return find_object_property(*wanted.property_, why);
    default: return find_descriptor_property(*wanted.property_, wanted.element_, why);
  }
}

}  // namespace v0
}  // namespace tgmap

namespace tgmap {

inline namespace v0 {

namespace {

constexpr std::size_t max_keys = 2000;     // compared with the wanted key
constexpr std::size_t max_path_size = 60;  // people type no longer ones

/// Adds the path of an item, and those of all items in it if it is a map.
void add_paths(const cbor_view& item, const std::string& path, unsigned depth, std::set<std::string>& to) {
  if (to.size() >= max_keys) return;
  to.insert(path);
  if (depth == 0) return;
  item.visit([&](const cbor_view& name, const cbor_view& inner) {
    const auto text = name.get<std::string_view>();
    if (text && path.size() + 1 + text->size() <= max_path_size)
      add_paths(inner, path + "." + std::string(*text), depth - 1, to);
    return to.size() < max_keys;
  });
}

void add_paths(const metadata& from, std::set<std::string>& to) {
  constexpr unsigned max_depth = 16;  // people type no deeper paths
  for (const auto& [name, item] : from.entries())
    if (name != "_reserved_" && name.size() <= max_path_size) add_paths(item, name, max_depth, to);
}

}  // namespace

std::string key_lookup::nearest_key(std::string_view wanted) {
  std::set<std::string> known;
  for (const detail::property_name& each : detail::property_names)
    known.insert((each.found_without_at ? "" : "@") + std::string(each.name));
  failure why;
  if (message_.version() != 1) {
    if (in_object_ && load_object_metadata(why)) add_paths(object_metadata_->keys(), known);
    if (load_summary(why)) {
      if (!in_object_) add_paths(first_object_.keys(), known);
      add_paths(message_wide_.keys(), known);
      if (find_descriptor_name(why)) known.insert("name");
    }
  }
  return core::nearest_key(wanted, known);
}

}  // namespace v0
}  // namespace tgmap
