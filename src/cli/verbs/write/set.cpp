// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/command/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/damaged_content.hpp"
#include "cli/input/selection_outcome.hpp"
#include "cli/options/assignments.hpp"
#include "cli/transform/rewriting.hpp"
#include "edit/stored_objects.hpp"

namespace tgmap::cli {

namespace {

/// The edits as they are given on the command line.
struct edit_options {
  std::vector<std::string> assignments, deletions, renamings;
};

/// A `metadata_edits` object changes the metadata of messages: it renames keys, then deletes keys, then sets keys.
class metadata_edits {
 public:
  /// Errors: throws usage_error; cli_error if a key must not be changed.
  metadata_edits(const edit_options&, on_mismatch damaged);

  /// Changes the selected objects of a loaded message, and adds objects with a wrong hash to its `mismatches`. Returns
  /// true if anything changed. Errors: throws cli_error if a
  /// key names an object that does not exist or is damaged; usage_error if a value does not fit the type of its key;
  /// tgmap::error.
  bool apply(const message&, const selected_objects&, stored_message&);

  /// Returns the keys to be renamed or deleted that no message had.
  std::vector<std::string> not_found() const;

 private:
  struct edit {
    enum class action : std::uint8_t { rename, erase, set } what;
    editable_key at;
    std::string new_path{};                             ///< for `rename`
    assignment to{};                                    ///< for `set`
    std::array<std::optional<cbor_value>, 7> values{};  ///< the value of `to`, by type
    bool found = false;
  };

  bool apply(edit&, const message&, const selected_objects&, stored_message&);
  static bool apply(edit&, cbor_value& keys);
  static void refuse_overwriting(const edit&, const cbor_value& keys);
  bool apply_to_descriptor(edit&, const message&, stored_message&);

  std::vector<edit> edits_{};
  on_mismatch damaged_;
};

/// Returns the type of an existing value, for a new value without an explicit type. Errors: usage_error if one value
/// cannot replace it.
assigned_type type_like(const std::optional<cbor_view>& existing, const assignment& to) {
  if (!existing || existing->kind() == cbor_kind::null) return assigned_type::unspecified;
  if (existing->kind() == cbor_kind::array || existing->kind() == cbor_kind::map)
    throw usage_error(fmt::format("{} is a {}, but '{}' is one value", to.key,
                                  existing->kind() == cbor_kind::array ? "list" : "map", to.value),
                      fmt::format("write {0}:j=JSON for a new one, or {0}:s=… to replace it by text", to.key));
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

metadata_edits::metadata_edits(const edit_options& given, on_mismatch damaged) : damaged_(damaged) {
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

bool metadata_edits::apply(const message& in, const selected_objects& which, stored_message& to) {
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

bool metadata_edits::apply(edit& one, const message& in, const selected_objects& which, stored_message& message) {
  new_message& to = message.content;
  switch (one.at.in) {
    case editable_key::part::extra: return apply(one, to.extra);
    case editable_key::part::descriptor: return apply_to_descriptor(one, in, message);
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
      const assigned_type type = one.to.type == assigned_type::unspecified ? type_like(existing, one.to) : one.to.type;
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

bool metadata_edits::apply_to_descriptor(edit& one, const message& in, stored_message& to) {
  check_object_number(one.at, in, to.content);
  stored_object& of = stored(to.content, one.at.object);
  stored_object opened = of;
  std::vector<failure> damage;
  // In version 2 the hash is that of the payload, which stays.
  if (of.source && in.version() == 3) static_cast<void>(tgmap::edit::check_hash(*of.source, damaged_, damage));
  tgmap::edit::unpack_frame(opened);
  if (!apply(one, opened.descriptor)) return false;
  to.mismatches.insert(to.mismatches.end(), damage.begin(), damage.end());
  of = std::move(opened);
  return true;
}

std::vector<std::string> metadata_edits::not_found() const {
  std::vector<std::string> out;
  for (const edit& each : edits_)
    if (!each.found && each.what != edit::action::set) out.push_back(each.at.text);
  return out;
}

struct set_options {
  rewrite_options where;
  edit_options edits;
};

void run_set(const set_options& given, session& run) {
  run.report.guard(given.where.input, [&] {
    metadata_edits edits(given.edits, given.where.damaged);
    const auto make = [&](const message& m, const selected_objects& which, stored_message& out) {
      out.load(m, on_mismatch::take);
      return edits.apply(m, which, out);
    };
    rewrite_and_report(given.where, run, make);
    if (run.report.status() == exit_status::failed || selection_outcome::of(run).is_empty()) return;
    for (const std::string& key : edits.not_found())
      run.report.hint(given.where.input + ": no selected message has the key '" + key + "'");
  });
}

}  // namespace

action declare_set(CLI::App& app, session& run) {
  const auto given = std::make_shared<set_options>();
  add_input_and_output(app, given->where, "its numbers, like -w, select what to change");
  app.add_option("-s,--set", given->edits.assignments,
                 "Set keys, comma-separated. A value keeps the type of the key; a new key is a number if it is printed "
                 "as given, else text. KEY:i=, KEY:d=, KEY:s=, KEY:b=, "
                 "KEY:null and KEY:j=JSON set the type")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  app.add_option("--delete", given->edits.deletions, "Delete a key")->allow_extra_args(false)->type_name("KEY");
  app.add_option("--rename", given->edits.renamings, "Rename a key")->allow_extra_args(false)->type_name("OLD=NEW");
  given->where.narrows = true;
  add_rewrite_options(app, given->where);
  app.add_flag("--objects", given->where.chosen.objects,
               "Select objects instead of messages, and change only their own keys");
  return [given, &run] { run_set(*given, run); };
}

}  // namespace tgmap::cli
