// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "cli/input/archives.hpp"
#include "cli/print/progress.hpp"
#include "cli/verbs/index/index.hpp"

namespace tgmap::cli {

namespace {

struct index_update_options {
  index_targets targets;
  output_options output;
};

void update(const index_update_options& given, const std::string& file, session& run) {
  const archive from = open_archive({.file = file}, run);
  std::string index = find_index(given.targets, run, file);
  const index_summary before = read_summary(index);
  index_summary made;
  {
    progress_bar bar(run, file, from.size_bytes());
    const index_options options{.progress = bar.callback(), .executor = &run.workers()};
    if (run.index_cache) {
      cached_index out = update_cached_index(from, options);
      index = out.path.string();
      made = std::move(out.summary);
    } else {
      made = write_index(index, given.output, run,
                         [&](sink& to, failure& why) { return update_index(from, index, to, options, why); });
    }
  }
  const bool has_grown = made.messages >= before.messages && made.objects >= before.objects &&
                         made.gaps >= before.gaps && made.covered_bytes >= before.covered_bytes;
  print_summary(given.targets, run,
                {.file = file,
                 .index = index,
                 .state = "updated",
                 .is_current = made.is_stamped,
                 .before = has_grown ? &before : nullptr},
                made);
  report_rest(run, file, from, made);
  report_unstamped(run, file, made);
}

}  // namespace

action declare_index_update(CLI::App& app, session& run) {
  const auto given = std::make_shared<index_update_options>();
  add_index_targets(app, run, given->targets);
  app.add_flag("--no-sync", given->output.no_sync, "Do not wait until the index is on the disk");
  return [given, &run] {
    for_each_archive(given->targets, run, [&](const std::string& file) { update(*given, file, run); });
  };
}

}  // namespace tgmap::cli
