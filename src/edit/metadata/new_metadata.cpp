// SPDX-License-Identifier: Apache-2.0
#include "edit/metadata/new_metadata.hpp"

namespace tgmap::edit {

namespace {

/// Copies a map for new metadata, which must not have the key that dumps of archives have.
new_metadata_fault copy_keys(const cbor_view& from, cbor_value& to) {
  if (from.find("_reserved_")) return {.what = new_metadata_fault::kind::reserved_key};
  to = cbor_value::copy(from);
  return {};
}

}  // namespace

new_metadata_fault new_metadata::take(const cbor_value& meta) {
  using kind = new_metadata_fault::kind;
  if (!meta.is_map()) return {.what = kind::no_map};
  const auto base = meta.view().find("base"), extra = meta.view().find("extra");
  if (!base && !extra) return copy_keys(meta.view(), all_);
  const bool shares = extra && extra->kind() == cbor_kind::map;
  is_listed_ = base && base->kind() == cbor_kind::array;
  if (meta.view().size() != (is_listed_ ? 1U : 0U) + (shares ? 1U : 0U)) return {.what = kind::other_keys};
  new_metadata_fault out;
  if (shares) out = copy_keys(*extra, extra_);
  if (out.what != kind::none || !is_listed_) return out;
  base->visit([&](std::uint64_t j, const cbor_view& each) {
    out = each.kind() == cbor_kind::map ? copy_keys(each, each_.emplace_back())
                                        : new_metadata_fault{.what = kind::no_base_map, .number = j};
    return out.what == kind::none;
  });
  return out;
}

void new_metadata::set(std::string_view key, const std::function<cbor_value()>& value, failure& why) {
  const editable_key at = editable_key::parse_new(key, why);
  if (why) return;
  const bool wide = at.in == editable_key::part::extra;
  if (!wide && at.in != editable_key::part::base) {
    why = edit_failure(edit_error::no_object);
    return;
  }
  cbor_value scratch = cbor_value::map();  // shows now if base() could not set it
  cbor_value made = value();
  (wide ? extra_ : scratch).set(at.path, made, why);
  if (why)
    why = edit_failure(edit_error::no_element);
  else if (!wide)
    assigned_.emplace_back(at.path, std::move(made));
}

cbor_value new_metadata::base(std::size_t j, std::string_view name) const {
  cbor_value out = cbor_value::map();
  if (!name.empty()) out.set("name", name);
  out.update(is_listed_ ? each_[j] : all_);
  for (const auto& [key, value] : assigned_) out.set(key, value);
  return out;
}

}  // namespace tgmap::edit
