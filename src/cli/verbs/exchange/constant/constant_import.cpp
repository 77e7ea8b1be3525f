// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <tgmap/constant/archive.hpp>
#include <tgmap/write/writer.hpp>

#include "cli/app/cli_error.hpp"
#include "cli/input/file_list.hpp"
#include "cli/output/output_options.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"
#include "cli/verbs/exchange/constant/constant.hpp"
#include "edit/output/output_sink.hpp"

namespace tgmap::cli {

namespace {

struct constant_import_options {
  std::vector<std::string> files;
  std::string to;
  constant_input_options input;
  output_options output;
  bool json = false;
};

/// Returns the name of the file with .tgm instead of its extensions.
std::string default_archive_name(const std::string& file) {
  if (file == "-") throw usage_error("standard input needs the name of an archive", "add --output");
  std::filesystem::path name = file;
  if (name.extension() == ".lz4") name.replace_extension();
  if (name.extension() == ".json" || name.extension() == ".tbf") name.replace_extension();
  name += ".tgm";
  return name.string();
}

void import_constant(const constant::tensor_constant& from, writer& into, const edit::output_sink& to) {
  const constant::stored_constant stored = constant::to_archive(from);
  failure why;
  into.write(stored.message, why);
  to.throw_if(why);
}

/// Reads all files, also after a failure, to report every error.
void import_all(const constant_import_options& given, const std::string& name, session& run) {
  const constant::read_options how = read_options_of(given.input, run);
  for (const std::string& file : given.files) {
    const target input = parse_target(file);
    refuse_to_overwrite({.file = input.file, .messages = {}, .offset = {}, .objects = {}}, name);
  }
  edit::output_set outputs = outputs_for(given.output, run);
  edit::output_sink to(outputs.open(name));
  writer into(to);
  std::uint64_t cells = 0;
  bool all_read = true;
  for (const std::string& file : given.files) {
    bool is_read = false;
    run.report.guard(file, [&] {
      const constant::tensor_constant from = read_valid_constant(file, how, run);
      cells += from.size();
      if (all_read) import_constant(from, into, to);
      is_read = true;
    });
    all_read = all_read && is_read;
  }
  if (!all_read) return run.report.hint(name + ": nothing was written because of the error above");
  to.finish();
  outputs.commit();

  if (given.json)
    return run.out.write(json_line(
        {{"output", name}, {"messages", into.messages()}, {"cells", cells}, {"bytes", into.bytes_written()}}));
  report_output(run, name,
                fmt::format("{}: {}, {}, {} bytes{}", name, count_text(into.messages(), "message"),
                            count_text(cells, "cell"), into.bytes_written(), not_written(given.output.dry_run)));
}

void run_constant_import(const constant_import_options& given, session& run) {
  if (given.to.empty() && given.files.size() > 1)
    throw usage_error("several constants need the name of an archive", "add --output");
  const std::string name = given.to.empty() ? default_archive_name(given.files.front()) : given.to;
  if (given.json && is_standard_output(name) && !given.output.dry_run)
    throw usage_error("--json and the archive cannot both go to standard output");
  run.report.guard(name, [&] { import_all(given, name, run); });
}

}  // namespace

action declare_constant_import(CLI::App& app, session& run) {
  const auto given = std::make_shared<constant_import_options>();
  CLI::Option* const files =
      app.add_option(
             "FILE", given->files,
             "Files of JSON, .json.lz4 or .tbf, or messages; each becomes a message; - is JSON on standard input")
          ->required()
          ->type_name("");
  add_file_lists(app, *files, given->files);
  app.add_option("-o,--output", given->to,
                 "The archive to write, - is standard output; default: the name of the file with .tgm")
      ->type_name("OUT");
  add_constant_input_options(app, given->input, run);
  add_output_options(app, given->output);
  add_dry_run(app, given->output);
  app.add_flag("-j,--json", given->json, "Report the output as JSON");
  return [given, &run] { run_constant_import(*given, run); };
}

}  // namespace tgmap::cli
