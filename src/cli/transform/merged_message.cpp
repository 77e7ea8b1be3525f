// SPDX-License-Identifier: Apache-2.0
#include "cli/transform/merged_message.hpp"

#include <algorithm>

#include "cli/app/cli_error.hpp"
#include "cli/input/archives.hpp"
#include "cli/transform/object_hashes.hpp"

namespace tgmap::cli {

void merged_message::add_keys(const message& from) {
  const cbor_value added = cbor_value::copy(from.metadata());
  ++messages_;
  if (strategy_ == merge_strategy::last) return extra_.update(added);
  if (strategy_ == merge_strategy::error)
    added.view().visit([&](cbor_view key, cbor_view value) {
      const auto name = key.get<std::string_view>().value_or(std::string_view());
      const auto existing = extra_.view().find(name);
      if (existing && !std::ranges::equal(existing->bytes(), value.bytes()))
        throw cli_error("conflicting values for key '" + std::string(name) + "'",
                        "use --strategy first or last to resolve");
      return true;
    });
  cbor_value joined = added;
  joined.update(extra_);
  extra_ = std::move(joined);
}

int merged_message::version() const noexcept {
  const auto is_version_3 = [](const origin& each) { return each.from.version() == 3; };
  return objects_.empty() || std::any_of(objects_.begin(), objects_.end(), is_version_3) ? 3 : 2;
}

new_message merged_message::build() const {
  new_message out;
  out.extra = extra_;
  out.objects.reserve(objects_.size());
  const int wire = version();
  // Readers only trust the hashes of a message if every object has one.
  const auto has_digest = [wire](const origin& each) {
    return each.from.version() != wire || each.from[each.object].stored_hash().has_value();
  };
  const bool hashes = std::any_of(objects_.begin(), objects_.end(), has_digest);
  for (const origin& each : objects_) {
    stored_object one = stored_object::of(each.from, each.object, wire);
    const bool szip = wire == 2 && one.source && one.source->descriptor().compression == compression::szip;
    if (szip && !out.provenance) out.provenance = cbor_value::copy(each.from.provenance());
    if (hashes && !has_digest(each)) unpack_frame(one);
    out.objects.emplace_back(std::move(one));
  }
  return out;
}

}  // namespace tgmap::cli
