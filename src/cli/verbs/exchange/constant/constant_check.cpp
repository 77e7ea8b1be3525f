// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <limits>
#include <memory>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/input/file_list.hpp"
#include "cli/print/json.hpp"
#include "cli/verbs/exchange/constant/constant.hpp"
#include "core/text/escape.hpp"

namespace tgmap::cli {

namespace {

struct constant_check_options {
  std::vector<std::string> files;
  constant_input_options input;
  bool all = false, need_content = false, whole = false, json = false;
};

void put_problems(json_text::writer<>& to, const std::vector<constant::problem>& all) {
  to.begin_array();
  for (const auto& each : all) to.raw(each.json());
  to.end_array();
}

/// Writes the object that docs/schema/constant_check.json describes.
void put_verdict(json_text::writer<>& to, const std::string& file, const constant::tensor_constant& read,
                 const constant::report& found) {
  to.begin_object();
  put_name(to, "file", file);
  to.key("ok").boolean(!found);
  if (!found) {
    to.key("type").string(read.type().text());
    to.key("cells").integer(read.size());
    to.key("blocks").integer(read.blocks());
  }
  put_problems(to.key("problems"), found.problems);
  if (found.has_more) to.key("has_more").boolean(true);
  if (!found.warnings.empty()) put_problems(to.key("warnings"), found.warnings);
  to.end_object();
}

void check_file(const std::string& file, const constant_check_options& given, const constant::read_options& how,
                session& run) {
  constant::report found;
  const constant::tensor_constant read = read_constant(file, how, run, found);
  // Only the tables of archives can be inconsistent; those of text and typed binary were built here.
  if (!found && names_archive(file))
    if (const failure why = read.validate()) found.problems.push_back({.cause = why});
  if (given.json) {
    run.out.write(json_of([&](auto& to) { put_verdict(to, file, read, found); }) + "\n");
    if (found) run.report.mark_failed();
    return;
  }
  for (const auto& each : found.warnings) run.report.hint(problem_location(file, each) + ": " + each.what());
  const bool extended = found && needs_extended(file, found.problems.front(), how, run);
  for (const auto& each : found.problems)
    run.report.failed(problem_location(file, each), each.what(), next_step_of_constant(each, file, extended));
  if (found.has_more && !given.all)
    run.report.hint(file + ": there may be more problems; --all reports them");
  else if (found.has_more)
    run.report.hint(file + ": too many problems; the rest of the file was not checked");
  if (found) return;
  const std::string before = given.files.size() > 1 ? core::escaped(file) + ": " : "";
  run.out.write(fmt::format("{}ok {} cells {}\n", before, read.type().text(), read.size()));
}

void run_constant_check(const constant_check_options& given, session& run) {
  constant::read_options how = read_options_of(given.input, run);
  how.max_problems = given.all ? 100'000 : 1;
  how.require_content = given.need_content;
  how.reject_fractions = given.whole;
  for (const std::string& file : given.files) run.report.guard(file, [&] { check_file(file, given, how, run); });
}

}  // namespace

action declare_constant_check(CLI::App& app, session& run) {
  const auto given = std::make_shared<constant_check_options>();
  CLI::Option* const files =
      app.add_option(
             "FILE", given->files,
             "Files of JSON, .json.lz4 or .tbf, or messages of archives (FILE.tgm:MESSAGE); - is JSON on standard "
             "input")
          ->required()
          ->type_name("");
  add_file_lists(app, *files, given->files);
  add_constant_input_options(app, given->input, run);
  app.add_flag("-a,--all", given->all, "Report all problems, not only the first one");
  app.add_flag("--need-content", given->need_content, "Reject files that have only a type");
  app.add_flag("--whole", given->whole, "Reject fractions in int8 cells; default: truncate them");
  app.add_flag("-j,--json", given->json, "Print one JSON object per file, one per line");
  return [given, &run] { run_constant_check(*given, run); };
}

}  // namespace tgmap::cli
