// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/output_options.hpp"

#include <unistd.h>

#include <iostream>

#include "cli/print/escape.hpp"

namespace tgmap::cli {

void add_output_options(CLI::App& app, output_options& into) {
  const auto keep = app.add_flag("--no-clobber", into.no_clobber, "Fail rather than replace a file that is there");
  app.add_flag("-f,--force", into.force, "Replace files that are there without asking, at a terminal too")
      ->excludes(keep);
  app.add_flag("--no-sync", into.no_sync, "Do not wait until what was written is on the disk");
}

void add_dry_run(CLI::App& app, output_options& into) {
  app.add_flag("-n,--dry-run", into.dry_run, "Tell what would be written, and write nothing");
}

bool somebody_to_ask() { return ::isatty(STDIN_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0; }

answer ask_to_replace(const std::string& name, session& run) {
  run.out.flush();
  run.out.clear_progress();
  const std::string question = "tgmap: '" + escaped(name) + "' is there; replace it? [y]es, [a]ll, [N]o ";
  static_cast<void>(write_all(STDERR_FILENO, std::as_bytes(std::span(question))));  // then nothing is answered
  std::string line;
  if (!std::getline(std::cin, line) || line.empty()) return answer::no;
  if (line[0] == 'a' || line[0] == 'A') return answer::all;
  return line[0] == 'y' || line[0] == 'Y' ? answer::yes : answer::no;
}

}  // namespace tgmap::cli
