// SPDX-License-Identifier: Apache-2.0
// Facts of messages and objects, under the names that keys give them.
#include <tgmap/keys.hpp>

#include "select/facts.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

using detail::fact;

/// All of a list, or one element of it.
key_value listed(std::span<const std::uint64_t> list, std::optional<std::uint64_t> element) noexcept {
  if (!element) return key_value(list);
  return *element < list.size() ? key_value(list[static_cast<std::size_t>(*element)]) : key_value();
}

/// The strides of a descriptor as what they are in the file. None is negative.
std::span<const std::uint64_t> not_negative(std::span<const std::int64_t> strides) noexcept {
  return {reinterpret_cast<const std::uint64_t*>(strides.data()), strides.size()};
}

/// Nothing for what this machine cannot count.
key_value number_or_nothing(std::optional<std::uint64_t> n) noexcept { return n ? key_value(*n) : key_value(); }

}  // namespace

bool key_scope::load_object(failure& why) noexcept {
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

bool key_scope::load_descriptor(failure& why) noexcept {
  if (descriptor_ || !load_object(why)) return descriptor_.has_value();
  const tgmap::descriptor loaded = object_->descriptor(why);
  if (!why) descriptor_ = loaded;
  return descriptor_.has_value();
}

key_value key_scope::descriptor_fact(fact wanted, std::optional<std::uint64_t> element, failure& why) noexcept {
  if (!load_descriptor(why)) return {};
  const tgmap::descriptor& what = *descriptor_;
  switch (wanted) {
    case fact::dtype: return key_value(name(what.dtype));
    case fact::shape: return listed(what.shape(), element);
    case fact::strides: return listed(not_negative(what.strides()), element);
    case fact::ndim: return key_value(std::uint64_t{what.shape().size()});
    case fact::encoding: return key_value(what.encoding_name.view());
    case fact::filter: return key_value(what.filter_name.view());
    case fact::compression: return key_value(what.compression_name.view());
    case fact::byte_order: return key_value(name(what.byte_order));
    case fact::elements: return key_value(what.elements);
    case fact::decoded: return number_or_nothing(byte_count(what.dtype, what.elements));
    case fact::masks: return key_value(std::uint64_t{what.masks().size()});
    default: return {};
  }
}

key_value key_scope::object_fact(fact wanted, failure& why) noexcept {
  if (!load_object(why)) return {};
  switch (wanted) {
    case fact::object: return one_object_ ? key_value(std::uint64_t{object_->index()}) : key_value();
    case fact::payload: return key_value(object_->payload_offset());
    case fact::stored: return key_value(object_->payload_size());
    case fact::hash: {
      const auto digest = object_->stored_hash();
      if (!digest) return {};
      for (std::size_t i = 0; i < hash_.size(); ++i) hash_[i] = "0123456789abcdef"[*digest >> (60 - 4 * i) & 15];
      return key_value(std::string_view(hash_.data(), hash_.size()));
    }
    default: return {};
  }
}

key_value key_scope::find_fact(const key& wanted, failure& why) noexcept {
  switch (*wanted.fact_) {
    case fact::message: {
      const auto index = message_.index();
      return index ? key_value(std::uint64_t{*index}) : key_value();
    }
    case fact::offset: return key_value(message_.offset());
    case fact::length: return key_value(message_.length());
    case fact::version: return key_value(static_cast<std::uint64_t>(message_.version()));
    case fact::streamed: return key_value(message_.streamed());
    case fact::incomplete: return key_value(message_.incomplete());
    case fact::layout: {
      if (message_.version() == 1) return {};
      const message_layout layout = message_.layout(why);
      return why ? key_value() : key_value(name(layout));
    }
    case fact::objects: {
      if (message_.version() == 1) return {};
      const std::uint64_t objects = message_.size(why);
      return why ? key_value() : key_value(objects);
    }
    case fact::object:
    case fact::payload:
    case fact::stored:
    case fact::hash: return object_fact(*wanted.fact_, why);
    default: return descriptor_fact(*wanted.fact_, wanted.element_, why);
  }
}

}  // namespace v0
}  // namespace tgmap
