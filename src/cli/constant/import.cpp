// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <tgmap/constant/archive.hpp>
#include <tgmap/write/writer.hpp>

#include "cli/app/cli_error.hpp"
#include "cli/constant/input.hpp"
#include "cli/constant/reading.hpp"
#include "cli/constant/verbs.hpp"
#include "cli/input/overwrite_check.hpp"
#include "cli/outputs/output_sink.hpp"
#include "cli/outputs/tell_of_output.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"

namespace tgmap::cli {

namespace {

struct constant_import_options {
  std::vector<std::string> files;
  std::string to;
  constant_reading reading;
  output_options output;
  bool json = false;
};

/// Beside the file, under its name up to the endings that constants have.
std::string archive_for(const std::string& file) {
  if (file == "-") throw usage_error("standard input has no name to make one of", "name the archive with --output");
  std::filesystem::path name = file;
  if (name.extension() == ".lz4") name.replace_extension();
  if (name.extension() == ".json" || name.extension() == ".tbf") name.replace_extension();
  name += ".tgm";
  return name.string();
}

void import_constant(const constant::tensor_constant& from, writer& into, const output_sink& to) {
  const constant::stored_constant stored = constant::to_archive(from);
  failure why;
  into.write(stored.message, why);
  if (!why) return;
  to.rethrow_problem();
  throw error(why);
}

/// Every file is looked at, also where one before it is none.
void import_all(const constant_import_options& given, const std::string& name, session& run) {
  const constant::read_options how = options_of(given.reading, run);
  for (const std::string& file : given.files) {
    const target input = parse_target(file);
    refuse_to_overwrite({.file = input.file, .messages = {}, .offset = {}, .objects = {}}, name);
  }
  output_set outputs(given.output, run);
  output_sink to(outputs.at(name));
  writer into(to);
  std::uint64_t cells = 0;
  bool fine = true;
  for (const std::string& file : given.files) {
    bool taken = false;
    run.report.guard(file, [&] {
      const constant::tensor_constant from = sound_constant(file, how, run);
      cells += from.size();
      if (fine) import_constant(from, into, to);
      taken = true;
    });
    fine = fine && taken;
  }
  if (!fine) return run.report.hint(name + ": not written");
  to.flush();
  if (!given.output.dry_run) outputs.commit();

  if (given.json)
    return run.out.write(json_line(
        {{"output", name}, {"messages", into.messages()}, {"cells", cells}, {"bytes", into.bytes_written()}}));
  tell_of_output(run, name,
                 fmt::format("{}: {}, {}, {} bytes{}", name, count_text(into.messages(), "message"),
                             count_text(cells, "cell"), into.bytes_written(), not_written(given.output.dry_run)));
}

void run_constant_import(const constant_import_options& given, session& run) {
  if (given.to.empty() && given.files.size() > 1)
    throw usage_error("several constants become one archive", "name it with --output");
  const std::string name = given.to.empty() ? archive_for(given.files.front()) : given.to;
  if (given.json && names_standard_output(name) && !given.output.dry_run)
    throw usage_error("--json and the archive cannot both go to standard output");
  run.report.guard(name, [&] { import_all(given, name, run); });
}

}  // namespace

action declare_constant_import(CLI::App& app, session& run) {
  const auto given = std::make_shared<constant_import_options>();
  app.add_option("FILE", given->files,
                 "Files of JSON, .json.lz4 or .tbf, or messages of archives; each becomes a message; - is JSON on "
                 "standard input")
      ->required()
      ->type_name("");
  app.add_option("-o,--output", given->to,
                 "The archive to write, - is standard output; else beside the file, under its name with .tgm")
      ->type_name("OUT");
  add_constant_reading(app, given->reading, run);
  add_output_options(app, given->output);
  add_dry_run(app, given->output);
  app.add_flag("-j,--json", given->json, "Tell what was written, as JSON");
  return [given, &run] { run_constant_import(*given, run); };
}

}  // namespace tgmap::cli
