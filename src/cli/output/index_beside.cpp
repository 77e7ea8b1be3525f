// SPDX-License-Identifier: Apache-2.0
#include "cli/output/index_beside.hpp"

#include <tgmap/tools/index.hpp>

#include "cli/app/cli_error.hpp"

namespace tgmap::cli {

void add_write_index(CLI::App& app, bool& into) {
  app.add_flag("--write-index", into, "Write the index beside each archive, or add to the one that is there");
}

void write_index_beside(const std::string& archive, session& run) {
  failure why;
  write_index(archive, {.executor = &run.workers()}, why);
  if (!why) return;
  const std::string index = archive + ".tgx";
  throw cli_error("the archive is complete, but its index was not written: " + why.text(), next_step(why, index),
                  index);
}

}  // namespace tgmap::cli
