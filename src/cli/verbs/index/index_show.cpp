// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "cli/app/cli_error.hpp"
#include "cli/input/archives.hpp"
#include "cli/verbs/index/index.hpp"

namespace tgmap::cli {

namespace {

void show(const index_targets& given, const std::string& file, session& run) {
  const std::string index = find_index(given, run, file);
  failure why;
  const index_summary facts = describe_index(index, why);
  if (why) throw_index_error(index, why);
  open_options options{.damage = on_damage::skip};
  if (run.index_cache || !given.index.empty()) options.index_path = index;
  const archive from = archive::open(file, options, why);
  if (why) throw_index_error(index, why);
  const index_status status = from.index_status();
  if (status.refusal) throw_index_error(index, status.refusal);
  print_summary(given, run, {.file = file, .index = index, .state = "used", .trust = status.trust}, facts);
  print_columns(given, facts.columns, run.out);
}

void run_show(const index_targets& given, session& run) {
  check_index_targets(given, run);
  for (const std::string& file : given.files) run.report.guard(file, [&] { show(given, file, run); });
}

}  // namespace

action declare_index_show(CLI::App& app, session& run) {
  const auto given = std::make_shared<index_targets>();
  add_index_targets(app, run, *given);
  return [given, &run] { run_show(*given, run); };
}

}  // namespace tgmap::cli
