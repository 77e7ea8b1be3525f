// SPDX-License-Identifier: Apache-2.0
#include "cli/output/index_beside.hpp"

#include <fmt/format.h>

#include <tgmap/tools/index.hpp>

#include "cli/app/cli_error.hpp"
#include "core/text/escape.hpp"

namespace tgmap::cli {

void add_write_index(CLI::App& app, bool& into) {
  app.add_flag("--write-index", into, "Write the index beside each archive, or add to the one that is there");
}

void write_index_beside(const std::string& archive, session& run) {
  failure why;
  write_index(archive, {.executor = &run.workers()}, why);
  if (!why) return;
  const std::string index = index_path(archive).string();
  throw cli_error("the archive is complete, but its index was not written: " + why.text(), next_step(why, index),
                  index);
}

void complete_index_beside(const std::string& file, session& run) {
  failure why;
  const archive of = archive::open(file, {.trust_index_of = run.trust_index_of}, why);
  const index_status index = of.index_status();
  if (why || !index.is_current || index.covered_bytes != of.size_bytes()) write_index_beside(file, run);
}

void remove_index_beside(const std::string& archive, session& run) {
  const std::string index = core::escaped(index_path(archive).string());
  failure why;
  if (remove_index(archive, why))
    run.report.hint(
        fmt::format("{}: removed, since the archive was replaced; run `tgmap index create {}` to make it anew", index,
                    core::escaped(archive)));
  else if (why)
    run.report.hint(
        fmt::format("{}: the archive was replaced, and its old index could not be removed: {}", index, why.text()));
}

}  // namespace tgmap::cli
