// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <tgmap/write/sink.hpp>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/app/session.hpp"
#include "cli/command/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/array_inputs.hpp"
#include "cli/input/file_list.hpp"
#include "cli/input/required_keys.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/target.hpp"
#include "cli/options/decode_limit_options.hpp"
#include "cli/options/layout_options.hpp"
#include "cli/options/metadata_options.hpp"
#include "cli/options/pipeline_options.hpp"
#include "cli/output/array_builder.hpp"
#include "cli/output/output_options.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"
#include "edit/output/archive_appender.hpp"
#include "edit/output/index_beside.hpp"
#include "edit/output/output_location.hpp"

namespace tgmap::cli {

namespace {

struct append_arguments {
  std::vector<std::string> files;  ///< the first one is the archive to append to
  selection_options chosen;
  array_options arrays{};
  metadata_options metadata{};
  pipeline_options pipeline{};
  layout_options layout{};
  bool separate = false;
  edit::appender_settings settings{};
  bool write_index = false;
  bool json = false;
  std::vector<const CLI::Option*> options_of_archives{},
      options_of_arrays{};  ///< options valid only for archives, or only for arrays
};

void refuse_given(const std::vector<const CLI::Option*>& options, const char* text, const char* next_step) {
  for (const CLI::Option* each : options)
    if (each->count() != 0) throw usage_error(each->get_name() + text, next_step);
}

void add_all(const append_arguments& given, const std::vector<target>& from, edit::archive_appender& to, session& run) {
  std::map<const target*, archive> opened;  // all of them before anything is written
  for (const target& each : from)
    run.report.guard(each.file, [&] {
      opened[&each] = open_archive(each, run);
      if (each.one_message()) static_cast<void>(find_message(opened[&each], each));
    });
  if (run.report.status() == exit_status::failed)
    return run.report.hint(given.files.front() + ": nothing was added because of the error above");
  const auto take = [&](const target& what, const message& m, key_lookup&, auto) {
    if (m.is_incomplete()) {
      report_incomplete(m, what.file, run);
      return true;
    }
    to.add(m);
    return true;
  };
  for_each_selected(from, given.chosen, run, take, [&](const target& what) { return opened.at(&what); });
}

void add_all_arrays(const append_arguments& given, const std::vector<std::string>& files, edit::archive_appender& to,
                    session& run) {
  check_array_options(given.arrays);
  const edit::new_metadata metadata = make_metadata(given.metadata);
  edit::message_plan plan{.separate = given.separate, .layout = make_layout(given.layout)};
  const pipeline how = make_pipeline(given.pipeline, run);
  run.report.guard(given.files.front(), [&] {
    if (plan.layout.payload_alignment != write_options{}.payload_alignment) plan.layout.start_offset = to.end();
    memory_sink encoded;  // nothing is appended if an array is rejected
    array_builder builder(encoded, plan, how, metadata);
    if (!builder.add_all(files, given.arrays, run)) return;
    if (builder.objects().widened() != 0) run.report.hint(builder.widened_text());
    const archive messages = archive::from_memory(encoded.bytes());
    for (const message& each : messages) to.add(each);
  });
}

/// Returns true if the files are arrays. Errors: usage_error if only some are.
bool all_arrays(const std::vector<std::string>& files, bool raw) {
  const auto arrays = std::count_if(files.begin(), files.end(), names_arrays);
  if (arrays != 0 && arrays != static_cast<std::ptrdiff_t>(files.size()))
    throw usage_error("append archives and arrays in two separate calls");
  return arrays != 0 || raw;
}

void report_appended(const append_arguments& given, const edit::archive_appender& to, session& run) {
  const std::string& name = given.files.front();
  if (given.json)
    return run.out.write(json_line({{"output", name}, {"messages", to.messages()}, {"added", to.added()}}));
  report_output(run, name,
                fmt::format("{}: {} added, {} bytes{}", name, count_text(to.messages(), "message"), to.added(),
                            given.settings.dry_run ? ", not written" : ""));
}

void run_append(const append_arguments& given, session& run) {
  if (given.files.size() < 2) throw usage_error("append needs an archive to add to, and files to add");
  if (is_standard_output(given.files.front()))
    throw usage_error("append needs a file to add to; to write to standard output, use `tgmap copy FILE -`");
  const std::vector<std::string> from(given.files.begin() + 1, given.files.end());
  const bool arrays = all_arrays(from, given.arrays.shape.has_value());
  if (arrays)
    refuse_given(given.options_of_archives, " selects messages, but the files are arrays", "leave it out");
  else
    refuse_given(given.options_of_arrays, " is only for arrays; messages are added unchanged",
                 "leave it out, or use `tgmap convert` or `tgmap set` first");
  const std::vector<target> targets = arrays ? std::vector<target>{} : whole_messages(from);
  if (!arrays) require_keys({}, targets, given.chosen, run);
  run.report.guard(given.files.front(), [&] {
    edit::archive_appender to(given.files.front(), given.settings);
    if (arrays)
      add_all_arrays(given, from, to, run);
    else
      add_all(given, targets, to, run);
    report_outdated_index(given.files.front(), to.finish(), run);
    if (to.messages() != 0 && given.write_index && !given.settings.dry_run)
      edit::complete_index_beside(given.files.front(), run.trust_index_of, &run.workers());
    if (to.messages() != 0) return report_appended(given, to, run);
    if (run.report.status() != exit_status::failed)
      run.report.failed(given.files.front(), "no message is selected; nothing was added",
                        "run `tgmap ls` to list the contents");
  });
}

/// Returns the options that `add` declares.
template <class Add>
std::vector<const CLI::Option*> options_added_by(const CLI::App& app, Add&& add) {
  const std::size_t before = app.get_options().size();
  add();
  const auto all = app.get_options();
  return {all.begin() + static_cast<std::ptrdiff_t>(before), all.end()};
}

}  // namespace

action declare_append(CLI::App& app, session& run) {
  const auto given = std::make_shared<append_arguments>();
  CLI::Option* const files =
      app.add_option(
             "FILE", given->files,
             "The archive to add to, then what to add: FILE, FILE:MESSAGE or FILE@OFFSET, with ranges such as 2..5, or "
             "- for standard input; or .npy and .npz files as for `create`")
          ->required()
          ->type_name("");
  add_file_lists(app, *files, given->files, file_place::after_archive);
  given->options_of_archives = options_added_by(app, [&] { add_selection(app, given->chosen); });
  edit::appender_settings& how = given->settings;
  const auto each = app.add_flag("--sync", how.sync, "Wait for the disk after each message");
  app.add_flag("--no-sync", how.no_sync, "Never wait for the disk")->excludes(each);
  add_write_index(app, given->write_index);
  app.add_flag_callback(
      "--no-lock", [&how] { how.lock = false; },
      "Do not lock the archive, as on a file system without locks; nothing else may append to it");
  app.add_flag("--repair", how.repair, "Remove an incomplete message at the end of the archive");
  app.add_flag_callback(
      "--no-create", [&how] { how.create = false; }, "Fail if the archive does not exist");
  given->options_of_arrays = options_added_by(app, [&] {
    app.add_flag("--separate", given->separate, "Write one message per array");
    add_array_options(app, given->arrays);
    add_decode_limits(app, run, decoding_verb::inputs);
    add_metadata_options(app, given->metadata);
    add_pipeline_options(app, given->pipeline, run);
    add_layout_options(app, given->layout);
  });
  app.add_flag("-n,--dry-run", how.dry_run, "Print what would be added, and write nothing");
  app.add_flag("-j,--json", given->json, "Print what was added, as one JSON object");
  return [given, &run] { run_append(*given, run); };
}

}  // namespace tgmap::cli
