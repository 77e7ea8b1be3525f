// SPDX-License-Identifier: Apache-2.0
#include "cli/output/output_options.hpp"

#include <unistd.h>

#include <iostream>

#include "cli/output/output_file.hpp"
#include "cli/print/escape.hpp"

namespace tgmap::cli {

void add_output_options(CLI::App& app, output_options& into) {
  const auto keep = app.add_flag("--no-clobber", into.no_clobber, "Fail if the output exists");
  app.add_flag("-f,--force", into.force, "Replace existing files without asking, also at a terminal")->excludes(keep);
  app.add_flag("--no-sync", into.no_sync, "Do not wait until the output is on the disk");
}

void add_dry_run(CLI::App& app, output_options& into) {
  app.add_flag("-n,--dry-run", into.dry_run, "Report what would be written, but write nothing");
}

bool can_ask() { return ::isatty(STDIN_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0; }

replace_answer ask_to_replace(const std::string& name, session& run) {
  run.out.flush();
  run.out.clear_progress();
  const std::string question = "tgmap: '" + escaped(name) + "' already exists; replace it? [y]es, [a]ll, [N]o ";
  static_cast<void>(
      write_all(STDERR_FILENO, std::as_bytes(std::span(question))));  // without a question there is no answer
  std::string line;
  if (!std::getline(std::cin, line) || line.empty()) return replace_answer::no;
  if (line[0] == 'a' || line[0] == 'A') return replace_answer::all;
  return line[0] == 'y' || line[0] == 'Y' ? replace_answer::yes : replace_answer::no;
}

void report_output(session& run, const std::string& name, const std::string& line) {
  is_standard_output(name) ? run.report.hint(line) : run.out.write(escaped(line) + "\n");
}

}  // namespace tgmap::cli
