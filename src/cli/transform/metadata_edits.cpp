// SPDX-License-Identifier: Apache-2.0
#include "cli/transform/metadata_edits.hpp"

#include <fmt/format.h>

#include "cli/app/cli_error.hpp"
#include "cli/input/archives.hpp"
#include "cli/options/assignments.hpp"

namespace tgmap::cli {

namespace {

/// Returns the type of an existing value, for a new value without an explicit type.
assigned_type type_like(const std::optional<cbor_view>& existing) {
  if (!existing) return assigned_type::text;
  switch (existing->kind()) {
    case cbor_kind::integer: return assigned_type::integer;
    case cbor_kind::floating: return assigned_type::floating;
    case cbor_kind::boolean: return assigned_type::boolean;
    default: return assigned_type::text;
  }
}

stored_object& stored(new_message& in, std::size_t j) { return std::get<stored_object>(in.objects[j]); }

void check_object_number(const editable_key& at, const message& in, const new_message& of) {
  if (at.object < of.objects.size()) return;
  throw cli_error(fmt::format("'{}': {} has no object {}", at.text, location_text(in), at.object),
                  "select only messages that have it, with -w or FILE:MESSAGE");
}

}  // namespace

metadata_edits::metadata_edits(const edit_options& given) : damaged_(given.damaged) {
  for (const std::string& text : given.renamings) {
    const std::size_t equals = text.find('=');
    if (equals == text.npos)
      throw usage_error("'" + text + "' is not OLD=NEW", "write for example --rename mars.stp=mars.step");
    edit one{.what = edit::action::rename, .at = editable_key::parse(text.substr(0, equals))};
    const editable_key to = editable_key::parse(text.substr(equals + 1));
    if (!one.at.same_part(to))
      throw usage_error("'" + text + "' would move the key to another map",
                        "use the same prefix for both names, as in extra.a=extra.b");
    to.check_new();
    if (one.at.path == to.path)
      throw usage_error("'" + text + "' renames a key to itself", "give another name, or remove the option");
    one.new_path = to.path;
    edits_.push_back(std::move(one));
  }
  for (const std::string& text : given.deletions)
    edits_.push_back({.what = edit::action::erase, .at = editable_key::parse(text)});
  for (const std::string& text : given.assignments)
    for (assignment& each : parse_assignments(text)) {
      editable_key at = editable_key::parse(each.key);
      at.check_new();
      edits_.push_back({.what = edit::action::set, .at = std::move(at), .to = std::move(each)});
    }
  if (edits_.empty()) throw usage_error("no changes are given; add -s KEY=VALUE, --delete KEY or --rename OLD=NEW");
}

bool metadata_edits::apply(const message& in, const selected_objects& which, new_message& to) {
  bool any = false;
  for (edit& each : edits_) {
    try {
      any = apply(each, in, which, to) || any;
    } catch (const error& why) {
      if (why.details().code != errc::bad_key) throw;
      throw cli_error(fmt::format("'{}' does not exist in {}", each.at.text, location_text(in)),
                      "name an existing element, or set the whole list: KEY:j=[1,2]");
    }
  }
  return any;
}

bool metadata_edits::apply(edit& one, const message& in, const selected_objects& which, new_message& to) {
  switch (one.at.in) {
    case editable_key::part::extra: return apply(one, to.extra);
    case editable_key::part::descriptor: return apply_to_descriptor(one, in, to);
    case editable_key::part::one_base:
      check_object_number(one.at, in, to);
      return apply(one, stored(to, one.at.object).base);
    default: break;
  }
  if (to.objects.empty()) return apply(one, to.extra);
  bool any = false;
  if (which.whole)
    for (std::size_t j = 0; j < to.objects.size(); ++j) any = apply(one, stored(to, j).base) || any;
  else
    for (const std::size_t j : which.numbers) any = apply(one, stored(to, j).base) || any;
  return any;
}

/// Throws cli_error if a renamed key would overwrite another key.
void metadata_edits::refuse_overwriting(const edit& one, const cbor_value& keys) {
  const bool inside = one.new_path.starts_with(one.at.path + ".");  // then it is removed with the old key
  if (inside || !keys.view().at_path(one.at.path) || !keys.view().at_path(one.new_path)) return;
  throw cli_error(fmt::format("'{}' cannot be renamed to '{}', which already exists", one.at.text, one.new_path),
                  fmt::format("if '{}' is not needed, delete it first with `tgmap set --delete`", one.new_path));
}

/// Applies an edit to one map. Returns true if the map changed.
bool metadata_edits::apply(edit& one, cbor_value& keys) {
  bool changed = false;
  if (one.what == edit::action::set) {
    changed = keys.transform(one.at.path, [&one](const std::optional<cbor_view>& existing) -> const cbor_value& {
      const assigned_type type = one.to.type == assigned_type::unspecified ? type_like(existing) : one.to.type;
      std::optional<cbor_value>& value = one.values[static_cast<std::size_t>(type)];
      if (!value) value = assigned_value(one.to, type);
      return *value;
    });
  } else {
    if (one.what == edit::action::rename) refuse_overwriting(one, keys);
    changed = one.what == edit::action::erase ? keys.erase(one.at.path) : keys.rename(one.at.path, one.new_path);
  }
  one.found = one.found || changed;
  return changed;
}

bool metadata_edits::apply_to_descriptor(edit& one, const message& in, new_message& to) {
  check_object_number(one.at, in, to);
  stored_object& of = stored(to, one.at.object);
  stored_object opened = of;
  if (of.source) static_cast<void>(check_hash(*of.source, damaged_));
  unpack_frame(opened);
  if (!apply(one, opened.descriptor)) return false;
  of = std::move(opened);
  return true;
}

std::vector<std::string> metadata_edits::not_found() const {
  std::vector<std::string> out;
  for (const edit& each : edits_)
    if (!each.found && each.what != edit::action::set) out.push_back(each.at.text);
  return out;
}

}  // namespace tgmap::cli
