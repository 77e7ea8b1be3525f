// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "cli/append_arrays.hpp"
#include "cli/appending.hpp"
#include "cli/archives.hpp"
#include "cli/complaint.hpp"
#include "cli/human.hpp"
#include "cli/json.hpp"
#include "cli/layout_options.hpp"
#include "cli/metadata_options.hpp"
#include "cli/outputs/output_file.hpp"
#include "cli/outputs/tell_of_output.hpp"
#include "cli/pipeline_options.hpp"
#include "cli/selection.hpp"

namespace tgmap::cli {

namespace {

struct append_arguments {
  std::vector<std::string> files;  ///< the first one is where to
  selection_options chosen;
  array_options arrays{};
  metadata_options metadata{};
  pipeline_options pipeline{};
  layout_options layout{};
  bool separate = false;
  append_manner manner{};
  bool json = false;
  std::vector<const CLI::Option*> of_archives{}, of_arrays{};  ///< what means nothing where the others are added
};

void refuse_given(const std::vector<const CLI::Option*>& options, const char* text, const char* next_step) {
  for (const CLI::Option* each : options)
    if (each->count() != 0) throw usage_error(each->get_name() + text, next_step);
}

/// The archives that are added. All are opened before the first byte of any is: a name that is mistaken adds nothing.
class sources {
 public:
  /// What cannot be opened, or has not the message that is named, is reported.
  sources(const std::vector<target>& from, session& run) {
    for (const target& each : from)
      run.report.guard(each.file, [&] {
        const archive& opened = opened_[&each] = open_archive(each, run);
        if (each.one_message()) static_cast<void>(find_message(opened, each));
      });
  }

  const archive& of(const target& what) const { return opened_.at(&what); }

 private:
  std::map<const target*, archive> opened_{};
};

void add_all(const append_arguments& given, const std::vector<target>& from, appending& to, session& run) {
  const sources opened(from, run);
  if (run.report.status() == exit_status::failed)
    return run.report.hint(given.files.front() + ": nothing is added, for what failed before");
  const auto take = [&](const target& what, const message& m, key_lookup&, auto) {
    if (m.is_incomplete()) {
      run.report.hint(fmt::format("{}: the message at offset {} has no end and is left out", what.file, m.offset()));
      run.report.damaged();
      return true;
    }
    to.add(m);
    return true;
  };
  for_each_selected(from, given.chosen, run, take, [&](const target& what) { return opened.of(what); });
}

void add_all_arrays(const append_arguments& given, const std::vector<std::string>& files, appending& to, session& run) {
  check_array_options(given.arrays);
  const new_metadata metadata(given.metadata);
  array_messages what{.files = files,
                      .arrays = given.arrays,
                      .plan = {.separate = given.separate,
                               .layout = make_layout(given.layout),
                               .pipeline = make_pipeline(given.pipeline, run)}};
  run.report.guard(given.files.front(), [&] {
    if (what.plan.layout.payload_alignment != write_options{}.payload_alignment)
      what.plan.layout.start_offset = to.end();
    memory_sink made;
    if (!make_messages(what, metadata, made, run)) return;
    const archive messages = archive::from_memory(made.bytes());
    for (const message& each : messages) to.add(each);
  });
}

/// Whether they are files of arrays. Throws usage_error: some are, some are not.
bool all_arrays(const std::vector<std::string>& files, bool raw) {
  const auto arrays = std::count_if(files.begin(), files.end(), names_arrays);
  if (arrays != 0 && arrays != static_cast<std::ptrdiff_t>(files.size()))
    throw usage_error("archives and arrays are added in two calls");
  return arrays != 0 || raw;
}

void tell_of_appended(const append_arguments& given, const appending& to, session& run) {
  const std::string& name = given.files.front();
  if (given.json)
    return run.out.write(json_line({{"output", name}, {"messages", to.messages()}, {"added", to.added()}}));
  tell_of_output(run, name,
                 fmt::format("{}: {} added, {} bytes{}", name, counted(to.messages(), "message"), to.added(),
                             given.manner.dry_run ? ", not written" : ""));
}

void run_append(const append_arguments& given, session& run) {
  if (given.files.size() < 2) throw usage_error("append needs the archive to add to, and what to add to it");
  if (names_standard_output(given.files.front()))
    throw usage_error("an archive to add to is a file; to write messages to standard output, use `tgmap copy FILE -`");
  const std::vector<std::string> from(given.files.begin() + 1, given.files.end());
  const bool arrays = all_arrays(from, given.arrays.shape.has_value());
  if (arrays)
    refuse_given(given.of_archives, " selects messages; arrays are all added", "leave it out");
  else
    refuse_given(given.of_arrays, " is for arrays; messages are added as they are",
                 "leave it out, or use `tgmap convert` or `tgmap set` on what is added");
  const std::vector<target> targets = arrays ? std::vector<target>{} : whole_messages(from);
  run.report.guard(given.files.front(), [&] {
    appending to(given.files.front(), given.manner);
    if (arrays)
      add_all_arrays(given, from, to, run);
    else
      add_all(given, targets, to, run);
    to.finish();
    if (to.messages() != 0) return tell_of_appended(given, to, run);
    if (run.report.status() != exit_status::failed)
      run.report.failed(given.files.front(), "no message is selected, and nothing is added",
                        "run `tgmap ls` to see what there is");
  });
}

/// The options that `add` declares.
template <class Add>
std::vector<const CLI::Option*> declared_by(const CLI::App& app, Add&& add) {
  const std::size_t before = app.get_options().size();
  add();
  const auto all = app.get_options();
  return {all.begin() + static_cast<std::ptrdiff_t>(before), all.end()};
}

}  // namespace

action declare_append(CLI::App& app, session& run) {
  const auto given = std::make_shared<append_arguments>();
  app.add_option("FILE", given->files,
                 "The archive to add to, and what is added: FILE, FILE:MESSAGE or FILE@OFFSET, numbers may be ranges "
                 "such as 2..5, - is standard input; or .npy and .npz files, as `create` takes them")
      ->required()
      ->type_name("");
  given->of_archives = declared_by(app, [&] { add_selection(app, given->chosen); });
  append_manner& how = given->manner;
  const auto each = app.add_flag("--sync", how.sync, "Wait after each message until it is on the disk");
  app.add_flag("--no-sync", how.no_sync, "Do not wait for the disk, not even at the end")->excludes(each);
  app.add_flag("--repair", how.repair, "Cut off an incomplete message at the end of the archive, as a crash leaves it");
  app.add_flag_callback(
      "--no-create", [&how] { how.create = false; }, "Fail where there is no archive rather than begin one");
  given->of_arrays = declared_by(app, [&] {
    app.add_flag("--separate", given->separate, "A message for each array, not one for all");
    add_array_options(app, given->arrays);
    add_decode_limits(app, run, decoding_verb::inputs);
    add_metadata_options(app, given->metadata);
    add_pipeline_options(app, given->pipeline, run);
    add_layout_options(app, given->layout);
  });
  app.add_flag("-n,--dry-run", how.dry_run, "Tell what would be added, and write nothing");
  app.add_flag("-j,--json", given->json, "Tell what was added, as one JSON object");
  return [given, &run] { run_append(*given, run); };
}

}  // namespace tgmap::cli
