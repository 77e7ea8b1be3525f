// SPDX-License-Identifier: Apache-2.0
// Facts of messages and objects, under the names that keys give them.
#include <tgmap/query/metadata_key.hpp>

#include "core/text/hex.hpp"
#include "select/facts.hpp"

namespace tgmap {
inline namespace v0 {

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
