// SPDX-License-Identifier: Apache-2.0
#include "cli/output/output_options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <memory>
#include <tgmap/tools/index.hpp>

#include "cli/app/cli_error.hpp"
#include "core/text/escape.hpp"

namespace tgmap::cli {

void add_output_options(CLI::App& app, output_options& into) {
  const auto keep = app.add_flag("--no-clobber", into.no_clobber, "Fail if the output exists");
  app.add_flag("-f,--force", into.force, "Replace existing files without asking, also at a terminal")->excludes(keep);
  app.add_flag("--no-sync", into.no_sync, "Do not wait until the output is on the disk");
}

void add_dry_run(CLI::App& app, output_options& into) {
  app.add_flag("-n,--dry-run", into.dry_run, "Report what would be written, but write nothing");
}

void refuse_binary_at_terminal(int descriptor, const std::string& name) {
  if (::isatty(descriptor) == 0) return;
  const std::string what = is_standard_output(name) ? "standard output" : "'" + name + "'";
  throw usage_error("the output is binary, and " + what + " is a terminal",
                    "name a file, or add `> FILE` or `| PROGRAM`");
}

namespace {

enum class replace_answer { no, yes, all };

/// Returns true if the command runs at a terminal, so that a person can answer questions.
bool can_ask() { return ::isatty(STDIN_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0; }

/// Asks whether the file may be replaced. `all` holds for all other outputs, too.
replace_answer ask_to_replace(const std::string& name, session& run) {
  run.out.flush();
  run.out.clear_progress();
  const std::string question = "tgmap: '" + core::escaped(name) + "' already exists; replace it? [y]es, [a]ll, [N]o ";
  // Ignores errors: without an answer, nothing is replaced.
  static_cast<void>(write_all(STDERR_FILENO, std::as_bytes(std::span(question))));
  std::string line;
  if (!std::getline(std::cin, line) || line.empty()) return replace_answer::no;
  if (line[0] == 'a' || line[0] == 'A') return replace_answer::all;
  return line[0] == 'y' || line[0] == 'Y' ? replace_answer::yes : replace_answer::no;
}

void report_removed_index(const std::string& archive, const failure& why, session& run) {
  const std::string index = core::escaped(index_path(archive).string());
  run.report.hint(
      why ? fmt::format("{}: the archive was replaced, and its old index could not be removed: {}", index, why.text())
          : fmt::format("{}: removed, since the archive was replaced; run `tgmap index create {}` to make it anew",
                        index, core::escaped(archive)));
}

}  // namespace

void report_outdated_index(const std::string& archive, const failure& why, session& run) {
  const std::string name = core::escaped(archive);
  if (why)
    run.report.hint(
        fmt::format("{}: its index is not current, since it was not extended: {}; run `tgmap index update {}`", name,
                    why.text(), name));
}

void add_write_index(CLI::App& app, bool& into) {
  app.add_flag("--write-index", into, "Write the index beside each archive, or add to the one that is there");
}

edit::output_set outputs_for(const output_options& given, session& run) {
  file_output_options how{
      .replace = !given.no_clobber, .sync = !given.no_sync, .dry_run = given.dry_run, .write_index = given.write_index};
  if (given.write_index) how.executor = &run.workers();
  if (!given.force && !given.dry_run && can_ask())
    how.may_replace = [&run, all = false](const std::filesystem::path& name) mutable {
      const replace_answer answer = all ? replace_answer::all : ask_to_replace(name.string(), run);
      all = answer == replace_answer::all;
      return answer != replace_answer::no;
    };
  how.index_removed = [&run](const std::filesystem::path& name, const failure& why) {
    report_removed_index(name.string(), why, run);
  };
  const auto opened = [&run, is_text = given.is_text](const std::string& name, int descriptor) {
    if (named_descriptor(name)) run.out.flush();
    if (!is_text) refuse_binary_at_terminal(descriptor, name);
  };
  return edit::output_set(std::move(how), {.makes_folders = given.takes_folder, .opened = opened});
}

void report_unfinished(const edit::output_set& of, const std::string& name, session& run) {
  const std::uint64_t bytes = of.bytes_in_place();
  if (bytes == 0) return run.report.hint(name + ": nothing was written because of the error above");
  run.report.say(fmt::format("{}: incomplete: {} bytes were written before the error above", name, bytes));
}

void report_output(session& run, const std::string& name, const std::string& line) {
  is_standard_output(name) ? run.report.hint(line) : run.out.write(core::escaped(line) + "\n");
}

namespace {

void refuse_if(const edit::overwritten_file& output, const target& input) {
  if (output.is(input.file))
    throw cli_error("is the input and would be overwritten", "write to another file", input.file);
}

}  // namespace

void refuse_to_overwrite(const target& input, const std::string& output) {
  refuse_if(edit::overwritten_file(output, false), input);
}

void refuse_to_overwrite_in_place(const std::vector<target>& inputs, const std::string& output) {
  const edit::overwritten_file file(output, true);
  for (const target& each : inputs) refuse_if(file, each);
}

}  // namespace tgmap::cli
