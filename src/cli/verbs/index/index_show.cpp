// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "cli/app/cli_error.hpp"
#include "cli/input/archives.hpp"
#include "cli/verbs/index/index.hpp"
#include "core/text/escape.hpp"

namespace tgmap::cli {

namespace {

void show(const index_targets& given, const std::string& file, session& run) {
  const std::string index = find_index(given, run, file);
  const index_summary facts = read_summary(index);
  open_options options{.damage = on_damage::skip, .trust_index_of = run.trust_index_of};
  if (run.index_cache || !given.index.empty()) options.index_path = index;
  failure why;
  const archive from = archive::open(file, options, why);
  if (why) throw_index_error(index, why);
  const index_status status = from.index_status();
  if (status.refusal) throw_index_error(index, status.refusal);
  print_summary(given, run,
                {.file = file,
                 .index = index,
                 .state = status.is_current ? "used" : "not current",
                 .trust = status.trust,
                 .is_current = status.is_current},
                facts);
  if (!status.is_current)
    run.report.hint(core::escaped(file) +
                    ": has changed since its index was made, or was copied; run `tgmap index update " +
                    core::escaped(file) + "`, or `tgmap index check` if it was copied");
  print_columns(given, facts.columns, run.out);
}

}  // namespace

action declare_index_show(CLI::App& app, session& run) {
  const auto given = std::make_shared<index_targets>();
  add_index_targets(app, run, *given);
  return [given, &run] { for_each_archive(*given, run, [&](const std::string& file) { show(*given, file, run); }); };
}

}  // namespace tgmap::cli
