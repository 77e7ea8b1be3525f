// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <tgmap/constant/archive.hpp>

#include "cli/app/cli_error.hpp"
#include "cli/input/archives.hpp"
#include "cli/output/output_options.hpp"
#include "cli/verbs/exchange/constant/constant.hpp"

namespace tgmap::cli {

namespace {

struct constant_export_options {
  std::string file;
  std::vector<std::string> dimensions;
  constant_input_options input;
  constant_output_options output;
};

/// Reads any object as a constant, with the dimension names from --dims.
constant::tensor_constant read_object(const constant_export_options& given, session& run) {
  const target what = parse_target(given.file);
  const archive in = open_archive(what, run);
  const one_object chosen = find_one_object(in, what);
  std::optional<dtype> cells;
  if (!given.input.cell_type.empty()) cells = parse_cell_type(given.input.cell_type);
  failure why;
  constant::tensor_constant out = constant::from_object(in, chosen.object, given.dimensions, cells, why);
  if (!why) return out;
  if (why.code == errc::invalid_option)
    throw usage_error(fmt::format("{} has {} dimensions, but --dims names {}", chosen.name, why.expected, why.found));
  if (why.code.category() == constant::category())
    throw usage_error(fmt::format("{} cannot be a constant with these dimensions: {}", chosen.name, why.code.message()),
                      "use distinct names of letters, digits and _; extents must be at least 1");
  throw error(why);
}

void run_constant_export(const constant_export_options& given, session& run) {
  const constant::read_options how = read_options_of(given.input, run);
  run.report.guard(given.file, [&] {
    const target input = parse_target(given.file);
    if (given.output.to != "-")
      refuse_to_overwrite({.file = input.file, .messages = {}, .offset = {}, .objects = {}}, given.output.to);
    const constant::tensor_constant from =
        given.dimensions.empty() ? read_valid_constant(given.file, how, run) : read_object(given, run);
    write_constant(from, given.output, run);
  });
}

}  // namespace

action declare_constant_export(CLI::App& app, session& run) {
  const auto given = std::make_shared<constant_export_options>();
  app.add_option("FILE", given->file,
                 "A message (FILE.tgm:MESSAGE) or a file of JSON, .json.lz4 or .tbf; with --dims an object "
                 "(FILE.tgm:MESSAGE:OBJECT); - is JSON on standard input")
      ->required()
      ->type_name("");
  add_constant_output_options(app, given->output);
  app.add_option("--dims", given->dimensions,
                 "Comma-separated names for the dimensions of an object, in the order of its shape")
      ->delimiter(',')
      ->type_name("NAMES");
  add_constant_input_options(app, given->input, run);
  return [given, &run] { run_constant_export(*given, run); };
}

}  // namespace tgmap::cli
