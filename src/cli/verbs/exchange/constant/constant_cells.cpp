// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <tgmap/constant/cells.hpp>

#include "cli/verbs/exchange/constant/constant.hpp"

namespace tgmap::cli {

namespace {

struct constant_cells_options {
  std::string file;
  constant_input_options input;
  bool json = false;
};

void run_constant_cells(const constant_cells_options& given, session& run) {
  const constant::read_options how = read_options_of(given.input, run);
  run.report.guard(given.file, [&] {
    const constant::tensor_constant from = read_valid_constant(given.file, how, run);
    session_sink to(run.out);
    failure why;
    given.json ? constant::write_cells_json(from, to, why) : constant::write_cells(from, to, why);
    to.throw_if(why);
  });
}

}  // namespace

action declare_constant_cells(CLI::App& app, session& run) {
  const auto given = std::make_shared<constant_cells_options>();
  app.add_option("FILE", given->file,
                 "A file of JSON, .json.lz4 or .tbf, or a message of an archive (FILE.tgm:MESSAGE); - is JSON on "
                 "standard input")
      ->required()
      ->type_name("");
  add_constant_input_options(app, given->input, run);
  app.add_flag("-j,--json", given->json, "Print one JSON object with the type and all cells");
  return [given, &run] { run_constant_cells(*given, run); };
}

}  // namespace tgmap::cli
