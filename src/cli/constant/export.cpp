// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <tgmap/constant/archive.hpp>

#include "cli/app/cli_error.hpp"
#include "cli/constant/input.hpp"
#include "cli/constant/reading.hpp"
#include "cli/constant/verbs.hpp"
#include "cli/constant/writing.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/one_object.hpp"
#include "cli/input/overwrite_check.hpp"

namespace tgmap::cli {

namespace {

struct constant_export_options {
  std::string file;
  std::vector<std::string> dimensions;
  constant_reading reading;
  constant_writing writing;
};

/// An object of any archive, its dimensions named.
constant::tensor_constant named_object(const constant_export_options& given, session& run) {
  const target what = parse_target(given.file);
  const archive in = open_archive(what, run);
  const one_object chosen = find_one_object(in, what);
  std::optional<dtype> cells;
  if (!given.reading.cell_type.empty()) cells = cell_type_from(given.reading.cell_type);
  failure why;
  constant::tensor_constant out = constant::from_object(in, chosen.object, given.dimensions, cells, why);
  if (!why) return out;
  if (why.code == errc::invalid_option)
    throw usage_error(fmt::format("{} has {} dimensions, and --dims names {}", chosen.name, why.expected, why.found));
  if (why.code.category() == constant::category())
    throw usage_error(fmt::format("{} is no constant with these dimensions: {}", chosen.name, why.code.message()),
                      "names are letters, digits and _, each once; extents are at least 1");
  throw error(why);
}

void run_constant_export(const constant_export_options& given, session& run) {
  const constant::read_options how = options_of(given.reading, run);
  run.report.guard(given.file, [&] {
    const target input = parse_target(given.file);
    if (given.writing.to != "-")
      refuse_to_overwrite({.file = input.file, .messages = {}, .offset = {}, .objects = {}}, given.writing.to);
    const constant::tensor_constant from =
        given.dimensions.empty() ? sound_constant(given.file, how, run) : named_object(given, run);
    write_constant(from, given.writing, run);
  });
}

}  // namespace

action declare_constant_export(CLI::App& app, session& run) {
  const auto given = std::make_shared<constant_export_options>();
  app.add_option("FILE", given->file,
                 "A message of an archive (FILE.tgm:MESSAGE), or a file of JSON, .json.lz4 or .tbf; with --dims an "
                 "object (FILE.tgm:MESSAGE:OBJECT); - is JSON on standard input")
      ->required()
      ->type_name("");
  add_constant_writing(app, given->writing);
  app.add_option("--dims", given->dimensions,
                 "Names for the dimensions of an object that is no constant, between commas, in the order of its shape")
      ->delimiter(',')
      ->type_name("NAMES");
  add_constant_reading(app, given->reading, run);
  return [given, &run] { run_constant_export(*given, run); };
}

}  // namespace tgmap::cli
