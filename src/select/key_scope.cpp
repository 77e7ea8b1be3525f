// SPDX-License-Identifier: Apache-2.0
// Looking keys up in metadata. Facts are in key_facts.cpp.
#include <tgmap/query/metadata_key.hpp>

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

}  // namespace v0
}  // namespace tgmap
