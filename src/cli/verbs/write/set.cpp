// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/tools/metadata_edits.hpp>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/command/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/selection_outcome.hpp"
#include "cli/options/assignments.hpp"
#include "cli/transform/rewriting.hpp"

namespace tgmap::cli {

namespace {

struct set_options {
  rewrite_options where;
  std::vector<std::string> assignments, deletions, renamings;
};

void add_renaming(metadata_edits& to, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos)
    throw usage_error("'" + text + "' is not OLD=NEW", "write for example --rename mars.stp=mars.step");
  const std::string before = text.substr(0, equals), after = text.substr(equals + 1);
  failure why;
  to.rename(before, after, why);
  if (!why) return;
  if (why.expected == static_cast<std::uint64_t>(edit_error::other_map))
    throw usage_error("'" + text + "' would move the key to another map",
                      "use the same prefix for both names, as in extra.a=extra.b");
  if (why.expected == static_cast<std::uint64_t>(edit_error::same_key))
    throw usage_error("'" + text + "' renames a key to itself", "give another name, or remove the option");
  throw_edit_error(why.found == 1 ? after : before, why);
}

/// Returns the type of an assignment, which keeps that of the existing value unless it names one. Errors: usage_error
/// if one value cannot replace it.
assigned_type type_for(const assignment& to, const std::optional<cbor_view>& existing) {
  if (to.type != assigned_type::unspecified) return to.type;
  if (const auto type = edit::type_like(existing)) return *type;
  throw usage_error(fmt::format("{} is a {}, but '{}' is one value", to.key,
                                existing->kind() == cbor_kind::array ? "list" : "map", to.value),
                    fmt::format("write {0}:j=JSON for a new one, or {0}:s=… to replace it by text", to.key));
}

void add_assignment(metadata_edits& to, const assignment& given) {
  failure why;
  to.set(
      given.key,
      [given, values = std::array<std::optional<cbor_value>, 7>{}](
          const std::optional<cbor_view>& existing) mutable -> const cbor_value& {
        const assigned_type type = type_for(given, existing);
        std::optional<cbor_value>& value = values[static_cast<std::size_t>(type)];
        if (!value) value = assigned_value(given, type);
        return *value;
      },
      why);
  if (why) throw_edit_error(given.key, why);
}

/// Errors: throws usage_error; cli_error if a key must not be changed.
metadata_edits make_edits(const set_options& given) {
  metadata_edits out;
  for (const std::string& text : given.renamings) add_renaming(out, text);
  for (const std::string& key : given.deletions) {
    failure why;
    out.erase(key, why);
    if (why) throw_edit_error(key, why);
  }
  for (const std::string& text : given.assignments)
    for (const assignment& each : parse_assignments(text)) add_assignment(out, each);
  if (out.size() == 0) throw usage_error("no changes are given; add -s KEY=VALUE, --delete KEY or --rename OLD=NEW");
  return out;
}

/// Returns the error for a message that cannot be edited.
cli_error error_of(const failure& why, const message& in, const metadata_edits& edits) {
  const auto number = static_cast<std::size_t>(why.found);
  const std::string_view key = edits.key(number), to = edits.new_path(number);
  switch (static_cast<edit_error>(why.expected)) {
    case edit_error::existing_key:
      return {fmt::format("'{}' cannot be renamed to '{}', which already exists", key, to),
              fmt::format("if '{}' is not needed, delete it first with `tgmap set --delete`", to)};
    case edit_error::no_object:
      return {fmt::format("'{}': {} has no object {}", key, location_text(in), *why.object),
              "select only messages that have it, with -w or FILE:MESSAGE"};
    default:
      return {fmt::format("'{}' does not exist in {}", key, location_text(in)),
              "name an existing element, or set the whole list: KEY:j=[1,2]"};
  }
}

void run_set(const set_options& given, session& run) {
  run.report.guard(given.where.input, [&] {
    metadata_edits edits = make_edits(given);
    const auto make = [&](const message& m, const selected_objects& which, stored_message& out) {
      out.load(m, on_mismatch::take);
      metadata_edits::scope what{.damaged = given.where.damaged};
      if (!which.whole) what.objects = which.numbers;
      failure why;
      const bool is_changed = edits.apply(m, out, what, why);
      if (!why) return is_changed;
      if (why.code != errc::bad_key) throw error(why);
      throw error_of(why, m, edits);
    };
    rewrite_and_report(given.where, run, make);
    if (run.report.status() == exit_status::failed || selection_outcome::of(run).is_empty()) return;
    for (std::size_t i = 0; i < given.renamings.size() + given.deletions.size(); ++i)
      if (!edits.has_changed(i))
        run.report.hint(fmt::format("{}: no selected message has the key '{}'", given.where.input, edits.key(i)));
  });
}

}  // namespace

action declare_set(CLI::App& app, session& run) {
  const auto given = std::make_shared<set_options>();
  add_input_and_output(app, given->where, "its numbers, like -w, select what to change");
  app.add_option("-s,--set", given->assignments,
                 "Set keys, comma-separated. A value keeps the type of the key; a new key is a number if it is printed "
                 "as given, else text. KEY:i=, KEY:d=, KEY:s=, KEY:b=, "
                 "KEY:null and KEY:j=JSON set the type")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  app.add_option("--delete", given->deletions, "Delete a key")->allow_extra_args(false)->type_name("KEY");
  app.add_option("--rename", given->renamings, "Rename a key")->allow_extra_args(false)->type_name("OLD=NEW");
  given->where.narrows = true;
  add_rewrite_options(app, given->where);
  app.add_flag("--objects", given->where.chosen.objects,
               "Select objects instead of messages, and change only their own keys");
  return [given, &run] { run_set(*given, run); };
}

}  // namespace tgmap::cli
