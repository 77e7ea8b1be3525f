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

bool says(const failure& why, errc code) noexcept { return why.code == make_error_code(code); }

}  // namespace

bool key_scope::load_wide(failure& why) noexcept {
  if (!wide_) {
    const auto loaded = message_.metadata(why);
    if (!why) wide_ = loaded;
  }
  return wide_.has_value();
}

bool key_scope::load_own(failure& why) noexcept {
  if (own_ || no_object_) return own_.has_value();
  const auto loaded = one_object_ ? object_->metadata(why) : message_.base(0, why);
  if (!one_object_ && says(why, errc::out_of_range)) {
    no_object_ = true;
    why = {};
  } else if (!why) {
    own_ = loaded;
  }
  return own_.has_value();
}

key_value key_scope::find_in_objects(std::string_view path, failure& why) noexcept {
  if (!load_own(why)) return {};
  if (const key_value first = found_in(*own_, path)) return first;
  const std::size_t objects = message_.size(why);
  for (std::size_t j = 1; j < objects && !why; ++j) {
    const auto entry = message_.base(j, why);
    if (const key_value found = why ? key_value() : found_in(entry, path)) return found;
  }
  return {};
}

key_value key_scope::find_metadata(const key& wanted, failure& why) noexcept {
  const std::string_view path = std::string_view(wanted.text_).substr(wanted.path_at_);
  if (wanted.place_ == key::place::extra) return load_wide(why) ? found_in(*wide_, path) : key_value();
  if (one_object_) return load_own(why) ? found_in(*own_, path) : key_value();
  if (!wanted.reserved_) {
    const key_value found = find_in_objects(path, why);
    if (found || why) return found;
  }
  return load_wide(why) ? found_in(*wide_, path) : key_value();
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
