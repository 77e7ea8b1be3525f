// SPDX-License-Identifier: Apache-2.0
#include "edit/merged_message.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "edit/stored_objects.hpp"

namespace tgmap::edit {

std::optional<std::string> merged_message::add_keys(const cbor_value& added) {
  ++messages_;
  if (strategy_ == merge_strategy::last) return extra_.update(added), std::nullopt;
  std::optional<std::string> conflict;
  if (strategy_ == merge_strategy::error)
    added.view().visit([&](cbor_view key, cbor_view value) {
      const auto name = key.get<std::string_view>().value_or(std::string_view());
      const auto existing = extra_.view().find(name);
      if (existing && !std::ranges::equal(existing->bytes(), value.bytes())) conflict = name;
      return !conflict;
    });
  if (conflict) return conflict;
  cbor_value joined = added;
  joined.update(extra_);
  extra_ = std::move(joined);
  return std::nullopt;
}

int merged_message::version() const noexcept {
  const auto is_version_3 = [](const origin& each) { return each.from.version() == 3; };
  return objects_.empty() || std::any_of(objects_.begin(), objects_.end(), is_version_3) ? 3 : 2;
}

new_message merged_message::build(
    const std::function<void(const std::string* source, const message&, const failure&)>& damage) const {
  new_message out;
  out.extra = extra_;
  out.objects.reserve(objects_.size());
  const int wire = version();
  // Readers only trust the hashes of a message if every object has one.
  const auto has_hash = [wire](const origin& each) {
    return each.from.version() != wire || each.from[each.object].stored_hash().has_value();
  };
  const bool hashes = std::any_of(objects_.begin(), objects_.end(), has_hash);
  for (const origin& each : objects_) {
    if (each.from.version() != wire) {
      std::vector<failure> found;
      static_cast<void>(check_hash(each.from[each.object], on_mismatch::take, found));
      for (const failure& mismatch : found) damage(each.source, each.from, mismatch);
    }
    // Its keys and payload were compared already.
    stored_object one = stored_object::of(each.from, each.object, wire, on_mismatch::take);
    const bool szip = wire == 2 && one.source && one.source->descriptor().compression == compression::szip;
    if (szip && !out.provenance) out.provenance = cbor_value::copy(each.from.provenance());
    if (hashes && !has_hash(each)) unpack_frame(one);
    out.objects.emplace_back(std::move(one));
  }
  return out;
}

std::uint64_t object_bytes(const new_message& of) {
  std::uint64_t out = 0;
  for (const auto& each : of.objects) {
    const auto* const one = std::get_if<stored_object>(&each);
    if (one != nullptr) out += one->source ? one->source->frame().length() : one->payload_and_masks.size();
  }
  return out;
}

}  // namespace tgmap::edit
