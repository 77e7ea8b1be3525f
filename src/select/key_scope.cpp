// SPDX-License-Identifier: Apache-2.0
// Looking keys up in metadata. Facts are in key_facts.cpp.
#include <tgmap/keys.hpp>

namespace tgmap {
inline namespace v0 {

namespace {

key_value found_in(const metadata& in, std::string_view path) noexcept {
  const auto item = in.find(path);
  return item ? key_value(*item) : key_value();
}

}  // namespace

bool key_scope::load_message(failure& why) noexcept {
  if (!keys_) {
    keys_.emplace(message_.keys(why));
    if (why) keys_.reset();
  }
  return keys_.has_value();
}

bool key_scope::load_own(failure& why) noexcept {
  if (!own_) {
    const auto loaded = object_->metadata(why);
    if (!why) own_ = loaded;
  }
  return own_.has_value();
}

key_value key_scope::find_in_objects(std::string_view path, failure& why) noexcept {
  if (const key_value first = found_in(keys_->first, path)) return first;
  for (std::size_t j = 1; j < keys_->objects; ++j) {
    const auto entry = message_.base(j, why);
    if (why) return {};
    if (const key_value found = found_in(entry, path)) return found;
  }
  return {};
}

key_value key_scope::find_metadata(const key& wanted, failure& why) noexcept {
  const std::string_view path = std::string_view(wanted.text_).substr(wanted.path_at_);
  const bool extra = wanted.place_ == key::place::extra;
  if (one_object_ && !extra) return load_own(why) ? found_in(*own_, path) : key_value();
  if (!load_message(why)) return {};
  if (!extra && !wanted.reserved_) {
    const key_value found = find_in_objects(path, why);
    if (found || why) return found;
  }
  return found_in(keys_->wide, path);
}

key_value key_scope::find(const key& wanted, failure& why) noexcept {
  why = {};
  if (wanted.place_ == key::place::nowhere) return {};
  const bool version = wanted.text_ == "version";  // in a message always that of the wire, as the reference has it
  const bool fact_first = wanted.place_ == key::place::fact_alone || (version && !one_object_);
  if (!fact_first && message_.version() != 1) {
    const key_value found = find_metadata(wanted, why);
    if (found || why) return found;
  }
  return wanted.fact_ ? find_fact(wanted, why) : key_value();
}

key_value key_scope::find(const key& wanted) {
  failure why;
  const key_value out = find(wanted, why);
  detail::raise_if(why);
  return out;
}

}  // namespace v0
}  // namespace tgmap
