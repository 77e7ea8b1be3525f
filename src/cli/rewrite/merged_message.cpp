// SPDX-License-Identifier: Apache-2.0
#include "cli/rewrite/merged_message.hpp"

#include <algorithm>

#include "cli/app/cli_error.hpp"
#include "cli/input/archives.hpp"
#include "cli/rewrite/message_parts.hpp"

namespace tgmap::cli {

void merged_message::add_keys(const message& from) {
  const cbor_value more = cbor_value::copy(from.metadata());
  ++messages_;
  if (how_ == merging::last) return extra_.update(more);
  if (how_ == merging::error)
    more.view().visit([&](cbor_view key, cbor_view is) {
      const auto name = key.get<std::string_view>().value_or(std::string_view());
      const auto there = extra_.view().find(name);
      if (there && !std::ranges::equal(there->bytes(), is.bytes()))
        throw cli_error("conflicting values for key '" + std::string(name) + "'",
                        "use --strategy first or last to resolve");
      return true;
    });
  cbor_value joined = more;
  joined.update(extra_);
  extra_ = std::move(joined);
}

int merged_message::version() const noexcept {
  const auto is_new = [](const origin& each) { return each.from.version() == 3; };
  return objects_.empty() || std::any_of(objects_.begin(), objects_.end(), is_new) ? 3 : 2;
}

new_message merged_message::made() const {
  new_message out;
  out.extra = extra_;
  out.objects.reserve(objects_.size());
  const int wire = version();
  // Readers believe the digests of a message only where each object has one.
  const auto has_digest = [wire](const origin& each) {
    return each.from.version() != wire || each.from[each.object].stored_hash().has_value();
  };
  const bool digests = std::any_of(objects_.begin(), objects_.end(), has_digest);
  for (const origin& each : objects_) {
    stored_object one = stored_object::of(each.from, each.object, wire);
    const bool szip = wire == 2 && one.source && one.source->descriptor().compression == compression::szip;
    if (szip && !out.provenance) out.provenance = cbor_value::copy(each.from.provenance());
    if (digests && !has_digest(each)) open_frame(one);
    out.objects.emplace_back(std::move(one));
  }
  return out;
}

}  // namespace tgmap::cli
