// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <limits>
#include <memory>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/constant/input.hpp"
#include "cli/constant/reading.hpp"
#include "cli/constant/verbs.hpp"
#include "cli/print/escape.hpp"
#include "cli/print/json.hpp"

namespace tgmap::cli {

namespace {

struct constant_check_options {
  std::vector<std::string> files;
  constant_reading reading;
  bool all = false, need_content = false, whole = false, json = false;
};

json problem_json(const constant::problem& what) {
  json out{{"code", what.cause.code.category() == constant::category()
                        ? std::string(to_string_view(static_cast<constant::errc>(what.cause.code.value())))
                        : what.cause.code.message()}};
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

json verdict_json(const std::string& file, const constant::tensor_constant& read, const constant::report& told) {
  json out{{"file", file}, {"ok", !told}};
  if (!told) {
    out["type"] = read.type().text();
    out["cells"] = read.size();
    out["blocks"] = read.blocks();
  }
  out["problems"] = json::array();
  for (const auto& each : told.problems) out["problems"].push_back(problem_json(each));
  if (told.has_more) out["has_more"] = true;
  if (!told.warnings.empty()) out["warnings"] = json::array();
  for (const auto& each : told.warnings) out["warnings"].push_back(problem_json(each));
  return out;
}

void check_file(const std::string& file, const constant_check_options& given, const constant::read_options& how,
                session& run) {
  constant::report told;
  const constant::tensor_constant read = read_constant(file, how, run, told);
  // What was read from text or typed binary was put together here; an archive's tables are somebody else's.
  if (!told && names_archive(file))
    if (const failure why = read.validate()) told.problems.push_back({.cause = why});
  if (given.json) {
    run.out.write(json_line(verdict_json(file, read, told)));
    if (told) run.report.mark_failed();
    return;
  }
  for (const auto& each : told.warnings) run.report.hint(place_of(file, each) + ": " + each.what());
  for (const auto& each : told.problems)
    run.report.failed(place_of(file, each), each.what(), next_step_of_constant(each, file));
  if (told.has_more && !given.all)
    run.report.hint(file + ": there may be more; --all tells of them");
  else if (told.has_more)
    run.report.hint(file + ": what follows was not looked at");
  if (told) return;
  const std::string before = given.files.size() > 1 ? escaped(file) + ": " : "";
  run.out.write(fmt::format("{}ok {} cells {}\n", before, read.type().text(), read.size()));
}

void run_constant_check(const constant_check_options& given, session& run) {
  constant::read_options how = options_of(given.reading, run);
  how.max_problems = given.all ? 100'000 : 1;
  how.require_content = given.need_content;
  how.reject_fractions = given.whole;
  for (const std::string& file : given.files) run.report.guard(file, [&] { check_file(file, given, how, run); });
}

}  // namespace

action declare_constant_check(CLI::App& app, session& run) {
  const auto given = std::make_shared<constant_check_options>();
  app.add_option("FILE", given->files,
                 "Files of JSON, .json.lz4 or .tbf, or messages of archives (FILE.tgm:MESSAGE); - is JSON on standard "
                 "input")
      ->required()
      ->type_name("");
  add_constant_reading(app, given->reading, run);
  app.add_flag("-a,--all", given->all, "Tell everything that is wrong, not only the first thing");
  app.add_flag("--need-content", given->need_content, "A file that says nothing but a type is wrong");
  app.add_flag("--whole", given->whole, "Fractions are wrong where cells are int8; else they are cut off");
  app.add_flag("-j,--json", given->json, "One JSON object a line, for each file");
  return [given, &run] { run_constant_check(*given, run); };
}

}  // namespace tgmap::cli
