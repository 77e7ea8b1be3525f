// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tgmap/write/writer.hpp>
#include <utility>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/command/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/damaged_content.hpp"
#include "cli/input/file_list.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/target.hpp"
#include "cli/options/layout_options.hpp"
#include "cli/output/output_options.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"
#include "cli/print/progress.hpp"
#include "edit/merged_message.hpp"
#include "edit/output/output_set.hpp"
#include "edit/output/output_sink.hpp"

namespace tgmap::cli {

namespace {

struct merge_options {
  std::vector<std::string> files;
  std::string output, strategy = "first";
  selection_options chosen;
  output_options outputs;
  on_mismatch damaged = on_mismatch::refuse;
  bool reproducible = false, json = false;
};

edit::merge_strategy strategy_from(const std::string& strategy) {
  return strategy == "last"    ? edit::merge_strategy::last
         : strategy == "error" ? edit::merge_strategy::error
                               : edit::merge_strategy::first;
}

/// Collects the selected objects and keys of archives, which stay open.
class object_collector {
 public:
  object_collector(const merge_options& given, session& run)
      : merged_(strategy_from(given.strategy)), damage_(given.damaged, run), given_(given), run_(run) {}

  void collect(const std::vector<target>& from) {
    const auto take = [&](const target& what, const message& m, key_lookup&, std::optional<std::size_t> object) {
      return this->take(what, m, object);
    };
    for_each_selected(from, given_.chosen, run_, take, [&](const target& what) {
      last_.reset();
      return archives_.emplace_back(open_archive(what, run_, lookup_for(given_.damaged)));
    });
  }

  const edit::merged_message& merged() const noexcept { return merged_; }
  damage_check& damage() noexcept { return damage_; }

 private:
  bool take(const target& what, const message& m, std::optional<std::size_t> object) {
    const bool is_first = std::exchange(last_, m.offset()) != m.offset();
    if (m.is_incomplete()) {
      if (is_first) report_incomplete(m, what.file, run_);
      return true;
    }
    if (is_first) {
      damage_.load(what.file, m, {}, frames_);
      if (const auto key = merged_.add_keys(frames_.content.extra))
        throw cli_error("conflicting values for key '" + *key + "'", "use --strategy first or last to resolve");
    }
    const std::size_t begin = object.value_or(0), end = object ? *object + 1 : m.size();
    for (std::size_t j = begin; j < end; ++j) merged_.add(m, j, &what.file);
    return true;
  }

  edit::merged_message merged_;
  damage_check damage_;
  const merge_options& given_;
  session& run_;
  std::deque<archive> archives_{};
  stored_message frames_{};
  std::optional<std::uint64_t> last_{};  ///< offset of the message that was visited last
};

void write_merged(const edit::merged_message& all, const merge_options& given, edit::output_set::output& file,
                  damage_check& damage, session& run) {
  write_options how{.version = all.version()};
  if (given.reproducible) how.provenance = provenance::reproducible();
  const new_message made =
      all.build([&](const std::string* file, const message& in, const failure& why) { damage.accept(*file, in, why); });
  progress_bar bar(run, "writing " + given.output, edit::object_bytes(made));
  edit::output_sink to(file, bar.callback());
  failure why;
  writer(to, how).write(made, why);
  to.throw_if(why);
  to.finish();
}

void report_merged(const edit::merged_message& all, const merge_options& given, std::uint64_t bytes, session& run) {
  std::set<std::string> files;
  for (const std::string& each : given.files) files.insert(parse_target(each).file);
  if (given.json)
    return run.out.write(json_line({{"output", given.output},
                                    {"files", files.size()},
                                    {"objects", all.objects()},
                                    {"version", all.version()},
                                    {"bytes", bytes}}));
  // The text of the reference implementation.
  report_output(run, given.output,
                fmt::format("Merged {} objects from {} file(s) into {} (strategy: {}){}", all.objects(), files.size(),
                            given.output, given.strategy, not_written(given.outputs.dry_run)));
}

void run_merge(const merge_options& given, session& run) {
  if (given.json && is_standard_output(given.output))
    throw usage_error("--json and the message cannot both go to standard output");
  check_source_date();
  const std::vector<target> targets = parse_targets(given.files);
  object_collector all(given, run);
  all.collect(targets);
  if (run.report.status() == exit_status::failed)
    return run.report.hint(given.output + ": nothing was written because of the error above");
  run.report.guard(given.output, [&] {
    if (all.merged().messages() == 0)
      throw cli_error("no message is selected; nothing was written", "run `tgmap ls` to list the contents");
    refuse_to_overwrite_in_place(targets, given.output);
    edit::output_set outputs = outputs_for(given.outputs, run);
    edit::output_set::output& file = outputs.open(given.output);
    write_merged(all.merged(), given, file, all.damage(), run);
    all.damage().finish(given.output);
    outputs.commit();
    report_merged(all.merged(), given, file.bytes_written(), run);
  });
}

}  // namespace

action declare_merge(CLI::App& app, session& run) {
  const auto given = std::make_shared<merge_options>();
  add_targets(app, given->files, target_forms);
  app.add_option("-o,--output", given->output, "The file to write; - is standard output; may be an input")
      ->required()
      ->type_name("OUT");
  app.add_option("-s,--strategy", given->strategy,
                 "If message-wide values differ: keep the first or the last, or fail with an error")
      ->check(CLI::IsMember({"first", "last", "error"}))
      ->type_name("WHICH");
  add_where(app, given->chosen);
  app.add_flag("--objects", given->chosen.objects, "Select objects instead of messages");
  add_take_damaged(app, given->damaged);
  app.add_flag("--reproducible", given->reproducible, "Write no time and uuid: the same input gives the same bytes");
  add_output_options(app, given->outputs);
  add_write_index(app, given->outputs.write_index);
  add_dry_run(app, given->outputs);
  app.add_flag("-j,--json", given->json, "Print what was written, as one JSON object");
  return [given, &run] { run_merge(*given, run); };
}

}  // namespace tgmap::cli
