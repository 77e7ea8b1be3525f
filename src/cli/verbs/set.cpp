// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "cli/app/cli_error.hpp"
#include "cli/app/verb.hpp"
#include "cli/transform/archive_rewrite.hpp"
#include "cli/transform/metadata_edits.hpp"

namespace tgmap::cli {

namespace {

struct set_options {
  rewrite_options where;
  edit_options edits;
};

void run_set(const set_options& given, session& run) {
  run.report.guard(given.where.input, [&] {
    metadata_edits edits(given.edits);
    const auto make = [&](const message& m, const selected_objects& which, stored_message& out) {
      out.load(m);
      return edits.apply(m, which, out.content);
    };
    rewrite_and_report(given.where, run, make);
    if (run.report.status() == exit_status::failed) return;
    for (const std::string& key : edits.not_found())
      run.report.hint(given.where.input + ": no selected message has the key '" + key + "'");
  });
}

}  // namespace

action declare_set(CLI::App& app, session& run) {
  const auto given = std::make_shared<set_options>();
  add_input_and_output(app, given->where, "its numbers, like -w, select what to change");
  app.add_option(
         "-s,--set", given->edits.assignments,
         "Set keys, comma-separated. A value keeps the type of the key, or is text; KEY:i=, KEY:d=, KEY:s=, KEY:b=, "
         "KEY:null and KEY:j=JSON set the type")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  app.add_option("--delete", given->edits.deletions, "Delete a key")->allow_extra_args(false)->type_name("KEY");
  app.add_option("--rename", given->edits.renamings, "Rename a key")->allow_extra_args(false)->type_name("OLD=NEW");
  add_rewrite_options(app, given->where);
  app.add_flag("--objects", given->where.chosen.objects,
               "Select objects instead of messages, and change only their own keys");
  add_take_damaged(app, given->edits.damaged);
  return [given, &run] { run_set(*given, run); };
}

}  // namespace tgmap::cli
