// SPDX-License-Identifier: Apache-2.0
#include <tgmap/tools/metadata_edits.hpp>
#include <utility>
#include <variant>
#include <vector>

#include "edit/message_failure.hpp"
#include "edit/metadata/editable_key.hpp"
#include "edit/stored_objects.hpp"

namespace tgmap {

namespace edit {

namespace {

/// One change of a key.
struct metadata_edit {
  struct removal {};
  using new_name = std::string;
  using chosen_value = metadata_edits::chosen_value;

  std::string text;  ///< the key as it was given
  editable_key at;
  std::variant<removal, new_name, chosen_value> what{};
  bool has_changed = false;

  /// Changes one map. Returns true if it differs now. Errors: throws tgmap::error, and what the choice throws.
  bool apply(cbor_value& keys) {
    bool out = false;
    if (const auto* to = std::get_if<new_name>(&what))
      out = rename(keys, *to);
    else if (const auto* choose = std::get_if<chosen_value>(&what))
      out = keys.transform(at.path, *choose);
    else
      out = keys.erase(at.path);
    has_changed = has_changed || out;
    return out;
  }

 private:
  bool rename(cbor_value& keys, const std::string& to) const {
    const bool inside = to.starts_with(at.path + ".");  // then it is removed with the old key
    if (!inside && keys.view().at_path(at.path) && keys.view().at_path(to))
      throw error(edit_failure(edit_error::existing_key));
    return keys.rename(at.path, to);
  }
};

/// Errors: throws tgmap::error (no_object).
stored_object& stored(new_message& in, std::size_t j) {
  if (j < in.objects.size()) return std::get<stored_object>(in.objects[j]);
  failure why = edit_failure(edit_error::no_object);
  why.object = j;
  throw error(why);
}

/// Changes the descriptor of an object, whose frame is then written again.
bool apply_to_descriptor(metadata_edit& one, const message& in, on_mismatch damaged, stored_message& to) {
  stored_object& of = stored(to.content, one.at.object);
  stored_object opened = of;
  std::vector<failure> damage;
  // In version 2 the hash is that of the payload, which stays.
  if (of.source && in.version() == 3) static_cast<void>(check_hash(*of.source, damaged, damage));
  unpack_frame(opened);
  if (!one.apply(opened.descriptor)) return false;
  to.mismatches.insert(to.mismatches.end(), damage.begin(), damage.end());
  of = std::move(opened);
  return true;
}

bool apply(metadata_edit& one, const message& in, const metadata_edits::scope& of, stored_message& message) {
  new_message& to = message.content;
  if (one.at.in == editable_key::part::extra) return one.apply(to.extra);
  if (one.at.in == editable_key::part::descriptor) return apply_to_descriptor(one, in, of.damaged, message);
  if (one.at.in == editable_key::part::one_base) return one.apply(stored(to, one.at.object).base);
  if (to.objects.empty()) return one.apply(to.extra);
  bool any = false;
  const std::size_t count = of.objects ? of.objects->size() : to.objects.size();
  for (std::size_t i = 0; i < count; ++i) any = one.apply(stored(to, of.objects ? (*of.objects)[i] : i).base) || any;
  return any;
}

}  // namespace

}  // namespace edit

inline namespace v0 {

struct detail::metadata_edits_state {
  std::vector<edit::metadata_edit> edits;
};

metadata_edits::metadata_edits() : state_(std::make_unique<detail::metadata_edits_state>()) {}
metadata_edits::~metadata_edits() = default;
metadata_edits::metadata_edits(metadata_edits&&) noexcept = default;
metadata_edits& metadata_edits::operator=(metadata_edits&&) noexcept = default;

void metadata_edits::rename(std::string_view from, std::string_view to, failure& why) {
  edit::editable_key at = edit::editable_key::parse(from, why);
  if (why) return;
  edit::editable_key target = edit::editable_key::parse(to, why);
  if (!why && !at.same_part(target)) why = edit::edit_failure(edit_error::other_map);
  if (!why) target = edit::editable_key::parse_new(to, why);
  if (!why && at.path == target.path) why = edit::edit_failure(edit_error::same_key);
  why.found = why ? 1 : 0;
  if (why) return;
  state_->edits.push_back({.text = std::string(from), .at = std::move(at), .what = std::move(target.path)});
}

void metadata_edits::erase(std::string_view key, failure& why) {
  edit::editable_key at = edit::editable_key::parse(key, why);
  if (!why) state_->edits.push_back({.text = std::string(key), .at = std::move(at)});
}

void metadata_edits::set(std::string_view key, chosen_value value, failure& why) {
  edit::editable_key at = edit::editable_key::parse_new(key, why);
  if (!why) state_->edits.push_back({.text = std::string(key), .at = std::move(at), .what = std::move(value)});
}

std::size_t metadata_edits::size() const noexcept { return state_->edits.size(); }
std::string_view metadata_edits::key(std::size_t i) const noexcept { return state_->edits[i].text; }

std::string_view metadata_edits::new_path(std::size_t i) const noexcept {
  const auto* const name = std::get_if<edit::metadata_edit::new_name>(&state_->edits[i].what);
  return name != nullptr ? std::string_view(*name) : std::string_view();
}

bool metadata_edits::has_changed(std::size_t i) const noexcept { return state_->edits[i].has_changed; }

bool metadata_edits::apply(const message& in, stored_message& out, const scope& of, failure& why) {
  why = {};
  bool any = false;
  for (edit::metadata_edit& each : state_->edits) {
    try {
      any = edit::apply(each, in, of, out) || any;
    } catch (const error& thrown) {
      why = edit::failure_in(in, thrown.details());
      if (why.code != make_error_code(errc::bad_key)) return false;
      if (why.expected == 0) why = edit::failure_in(in, edit::edit_failure(edit_error::no_element));
      why.found = static_cast<std::uint64_t>(&each - state_->edits.data());
      return false;
    }
  }
  return any;
}

}  // namespace v0
}  // namespace tgmap
