// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "cli/input/archives.hpp"
#include "cli/print/progress.hpp"
#include "cli/verbs/index/index.hpp"

namespace tgmap::cli {

namespace {

void check(const index_targets& given, const std::string& file, session& run) {
  const archive from = open_archive({.file = file}, run);
  const std::string index = find_index(given, run, file);
  index_summary found;
  {
    progress_bar bar(run, file, from.size_bytes());
    failure why;
    const index_options how{.progress = bar.callback(), .executor = &run.workers()};
    found = check_index(from, index, how, why);
    if (why) throw_index_error(index, why);
  }
  print_summary(
      given, run,
      {.file = file, .index = index, .state = "sound", .trust = index_trust::checked, .is_current = found.is_stamped},
      found);
  report_unlisted(run, file, from, found);
  report_unstamped(run, file, found);
}

}  // namespace

action declare_index_check(CLI::App& app, session& run) {
  const auto given = std::make_shared<index_targets>();
  add_index_targets(app, run, *given);
  return [given, &run] { for_each_archive(*given, run, [&](const std::string& file) { check(*given, file, run); }); };
}

}  // namespace tgmap::cli
