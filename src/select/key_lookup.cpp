// SPDX-License-Identifier: Apache-2.0
#include <tgmap/query/metadata_key.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "core/text/edit_distance.hpp"
#include "core/text/hex.hpp"
#include "select/property_names.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

key_result found_in(const metadata& in, std::string_view path) noexcept {
  const auto item = in.find(path);
  return item ? key_result(*item) : key_result();
}

}  // namespace

bool key_lookup::load_message(failure& why) noexcept {
  if (!keys_) {
    keys_.emplace(message_.summary(why));
    if (why) keys_.reset();
  }
  return keys_.has_value();
}

bool key_lookup::load_own(failure& why) noexcept {
  if (!own_) {
    const auto loaded = object_->metadata(why);
    if (!why) own_ = loaded;
  }
  return own_.has_value();
}

key_result key_lookup::find_in_objects(std::string_view path, failure& why) noexcept {
  if (const key_result first = found_in(keys_->first_object_metadata, path)) return first;
  for (std::size_t j = 1; j < keys_->object_count; ++j) {
    const auto entry = message_.base(j, why);
    if (why) return {};
    if (const key_result found = found_in(entry, path)) return found;
  }
  return {};
}

key_result key_lookup::find_metadata(const metadata_key& wanted, failure& why) noexcept {
  const std::string_view path = std::string_view(wanted.text_).substr(wanted.path_at_);
  const bool extra = wanted.place_ == metadata_key::place::extra;
  if (one_object_ && !extra) return load_own(why) ? found_in(*own_, path) : key_result();
  if (!load_message(why)) return {};
  if (!extra && !wanted.reserved_) {
    const key_result found = find_in_objects(path, why);
    if (found || why) return found;
  }
  return found_in(keys_->message_metadata, path);
}

key_result key_lookup::find(const metadata_key& wanted, failure& why) noexcept {
  why = {};
  if (wanted.place_ == metadata_key::place::nowhere) return {};
  const bool version = wanted.text_ == "version";  // in a message always that of the wire, as the reference has it
  const bool fact_first = wanted.place_ == metadata_key::place::fact_alone || (version && !one_object_);
  if (!fact_first && message_.version() != 1) {
    const key_result found = find_metadata(wanted, why);
    if (found || why) return found;
  }
  return wanted.fact_ ? find_fact(wanted, why) : key_result();
}

key_result key_lookup::find(const metadata_key& wanted) {
  failure why;
  const key_result out = find(wanted, why);
  detail::raise_if(why);
  return out;
}

namespace {

using detail::property;

/// All of a list, or one element of it.
key_result listed(std::span<const std::uint64_t> list, std::optional<std::uint64_t> element) noexcept {
  if (!element) return key_result(list);
  return *element < list.size() ? key_result(list[static_cast<std::size_t>(*element)]) : key_result();
}

/// The strides of a descriptor as what they are in the file. None is negative.
std::span<const std::uint64_t> not_negative(std::span<const std::int64_t> strides) noexcept {
  return {reinterpret_cast<const std::uint64_t*>(strides.data()), strides.size()};
}

/// Nothing for what this machine cannot count.
key_result number_or_nothing(std::optional<std::uint64_t> n) noexcept { return n ? key_result(*n) : key_result(); }

}  // namespace

bool key_lookup::load_object(failure& why) noexcept {
  if (object_ || no_object_ || message_.version() == 1) return object_.has_value();
  const tgmap::object first = message_.at(0, why);
  if (why.code == make_error_code(errc::out_of_range)) {
    no_object_ = true;
    why = {};
  } else if (!why) {
    object_ = first;
  }
  return object_.has_value();
}

bool key_lookup::load_descriptor(failure& why) noexcept {
  if (descriptor_ || !load_object(why)) return descriptor_.has_value();
  const tgmap::descriptor loaded = object_->descriptor(why);
  if (!why) descriptor_ = loaded;
  return descriptor_.has_value();
}

key_result key_lookup::descriptor_fact(property wanted, std::optional<std::uint64_t> element, failure& why) noexcept {
  if (!load_descriptor(why)) return {};
  const tgmap::descriptor& what = *descriptor_;
  switch (wanted) {
    case property::dtype: return key_result(to_string_view(what.dtype));
    case property::shape: return listed(what.shape(), element);
    case property::strides: return listed(not_negative(what.strides()), element);
    case property::ndim: return key_result(std::uint64_t{what.shape().size()});
    case property::encoding: return key_result(what.encoding_name.view());
    case property::filter: return key_result(what.filter_name.view());
    case property::compression: return key_result(what.compression_name.view());
    case property::byte_order: return key_result(to_string_view(what.byte_order));
    case property::elements: return key_result(what.element_count);
    case property::decoded: return number_or_nothing(size_bytes(what.dtype, what.element_count));
    case property::masks: return key_result(std::uint64_t{what.masks().size()});
    default: return {};
  }
}

key_result key_lookup::object_fact(property wanted, failure& why) noexcept {
  if (!load_object(why)) return {};
  switch (wanted) {
    case property::object: return one_object_ ? key_result(std::uint64_t{object_->index()}) : key_result();
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

key_result key_lookup::find_fact(const metadata_key& wanted, failure& why) noexcept {
  switch (*wanted.fact_) {
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
      const std::uint64_t objects = message_.size(why);
      return why ? key_result() : key_result(objects);
    }
    case property::object:
    case property::payload:
    case property::stored:
    case property::hash: return object_fact(*wanted.fact_, why);
    default: return descriptor_fact(*wanted.fact_, wanted.element_, why);
  }
}

}  // namespace v0
}  // namespace tgmap

namespace tgmap {

inline namespace v0 {

namespace {

constexpr std::size_t most_keys = 2000;   // compared with what was asked for
constexpr std::size_t longest_path = 60;  // nobody types more

/// Adds the paths of all items of a map that are maps or values.
void add_paths(const cbor_view& item, const std::string& path, unsigned depth, std::set<std::string>& to) {
  if (to.size() >= most_keys) return;
  to.insert(path);
  if (depth == 0) return;
  item.visit([&](const cbor_view& name, const cbor_view& inner) {
    const auto text = name.get<std::string_view>();
    if (text && path.size() + 1 + text->size() <= longest_path)
      add_paths(inner, path + "." + std::string(*text), depth - 1, to);
    return to.size() < most_keys;
  });
}

void add_paths(const metadata& from, std::set<std::string>& to) {
  constexpr unsigned max_typed_depth = 16;  // what people type
  for (const auto& [name, item] : from.entries())
    if (name != "_reserved_" && name.size() <= longest_path) add_paths(item, name, max_typed_depth, to);
}

/// Returns true if two keys at that distance may be mistaken for one another.
bool is_near(std::size_t distance, std::string_view wanted) noexcept {
  return wanted.size() > 2 && distance <= std::max<std::size_t>(1, wanted.size() / 4);
}

/// The part behind the last dot: where only the map before it was left out or mistaken, that is what was meant.
std::string_view leaf(std::string_view path) { return path.substr(path.rfind('.') + 1); }

}  // namespace

std::string key_lookup::nearest_key(std::string_view wanted) {
  std::set<std::string> known;
  for (const detail::property_name& f : detail::property_names)
    known.insert((f.plain ? "" : "@") + std::string(f.name));
  failure why;
  if (message_.version() != 1) {
    if (one_object_ && load_own(why)) add_paths(*own_, known);
    if (load_message(why)) {
      if (!one_object_) add_paths(keys_->first_object_metadata, known);
      add_paths(keys_->message_metadata, known);
    }
  }

  std::string best;
  std::size_t least = wanted.size() + 1;
  for (const std::string& name : known) {
    std::size_t distance = core::edit_distance(wanted, name);
    if (leaf(wanted) == leaf(name)) distance = std::min<std::size_t>(distance, 1);
    if (name == wanted || distance >= least || !is_near(distance, wanted)) continue;
    least = distance;
    best = name;
  }
  return best;
}

}  // namespace v0
}  // namespace tgmap
