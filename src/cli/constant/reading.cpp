// SPDX-License-Identifier: Apache-2.0
#include "cli/constant/reading.hpp"

#include <fmt/format.h>

#include "cli/app/cli_error.hpp"
#include "cli/print/escape.hpp"

namespace tgmap::cli {

namespace {

constexpr const char* type_form =
    "a type is tensor<float>(key{},x[3]): double, float, bfloat16 or int8, and dimensions";

}  // namespace

void add_constant_reading(CLI::App& app, constant_reading& into, session& run) {
  app.add_option("-t,--type", into.type, "The type, as tensor<float>(key{},x[3]); else the one that the file names")
      ->type_name("TYPE");
  app.add_option("--cell-type", into.cell_type, "The cell type, whatever the type says: double, float, bfloat16, int8")
      ->type_name("CELLS");
  app.add_flag("--extended", into.extended,
               "Forms of documents too: flattened values, hexadecimal digits, numbers as labels, cells alone");
  app.add_flag("--empty-labels", into.empty_labels, "Labels without a character too");
  app.add_flag("--nearest", into.nearest, "Round bfloat16 to the nearest; else bits are dropped, as Vespa does");
  add_decode_limits(app, run, decoding_verb::constants);
}

constant::tensor_type type_from(const std::string& text) {
  failure why;
  constant::tensor_type out = constant::tensor_type::parse(text, why);
  if (!why) return out;
  throw usage_error(fmt::format("'{}' is no type of a constant: {} at character {}", escaped(text), why.code.message(),
                                why.offset + 1),
                    type_form);
}

dtype cell_type_from(const std::string& text) {
  if (const auto known = constant::cell_type_from_name(text)) return *known;
  throw usage_error(fmt::format("'{}' is no cell type", escaped(text)), "use double, float, bfloat16 or int8");
}

constant::read_options options_of(const constant_reading& given, session& run) {
  constant::read_options out;
  if (!given.type.empty()) out.type = type_from(given.type);
  if (!given.cell_type.empty()) out.cell_type = cell_type_from(given.cell_type);
  out.extended = given.extended;
  out.allow_empty_labels = given.empty_labels;
  out.round_to_nearest = given.nearest;
  if (const auto most = run.limits.requested_object_bytes()) out.max_bytes = *most;
  if (run.threads != 1) out.executor = &run.workers();
  return out;
}

}  // namespace tgmap::cli
