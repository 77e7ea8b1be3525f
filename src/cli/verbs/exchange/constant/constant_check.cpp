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

json problem_json(const constant::problem& what) {
  json out{{"code", what.cause.code.category() == constant::category()
                        ? std::string(to_string_view(static_cast<constant::errc>(what.cause.code.value())))
                        : "io"}};
  if (what.line != 0) {
    out["line"] = what.line;
    out["column"] = what.column;
  }
  out["offset"] = what.cause.offset;
  if (!what.path.empty()) out["path"] = what.path;
  if (!what.expected.empty()) out["expected"] = what.expected;
  if (!what.found.empty()) out["found"] = what.found;
  out["text"] = what.what();
  return out;
}

json verdict_json(const std::string& file, const constant::tensor_constant& read, const constant::report& found) {
  json out{{"file", file}, {"ok", !found}};
  if (!found) {
    out["type"] = read.type().text();
    out["cells"] = read.size();
    out["blocks"] = read.blocks();
  }
  out["problems"] = json::array();
  for (const auto& each : found.problems) out["problems"].push_back(problem_json(each));
  if (found.has_more) out["has_more"] = true;
  if (!found.warnings.empty()) out["warnings"] = json::array();
  for (const auto& each : found.warnings) out["warnings"].push_back(problem_json(each));
  return out;
}

void check_file(const std::string& file, const constant_check_options& given, const constant::read_options& how,
                session& run) {
  constant::report found;
  const constant::tensor_constant read = read_constant(file, how, run, found);
  // Only the tables of archives can be inconsistent; those of text and typed binary were built here.
  if (!found && names_archive(file))
    if (const failure why = read.validate()) found.problems.push_back({.cause = why});
  if (given.json) {
    run.out.write(json_line(verdict_json(file, read, found)));
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
