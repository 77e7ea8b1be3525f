// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <tgmap/constant/cells.hpp>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/print/json.hpp"
#include "cli/verbs/exchange/constant/constant.hpp"
#include "core/text/escape.hpp"

namespace tgmap::cli {

namespace {

struct constant_get_options {
  std::string file;
  std::vector<std::string> address;
  constant_input_options input;
  bool json = false;
};

std::vector<constant::address_part> parts_of(const std::vector<std::string>& given) {
  std::vector<constant::address_part> out;
  for (const std::string& each : given) {
    const std::size_t sign = each.find('=');
    if (sign == each.npos)
      throw usage_error(fmt::format("'{}' is not DIMENSION=LABEL", core::escaped(each)),
                        "write for example key=abc x=2");
    const std::string_view text = each;
    out.emplace_back(text.substr(0, sign), text.substr(sign + 1));
  }
  return out;
}

std::string dimensions_of(const constant::tensor_type& type) {
  std::string out;
  for (const auto& one : type.dimensions()) {
    if (!out.empty()) out += ' ';
    out += one.is_mapped() ? one.name + "=LABEL" : fmt::format("{}=0..{}", one.name, one.size - 1);
  }
  return out;
}

void print(const constant_get_options& given, const std::vector<constant::address_part>& at,
           const constant::tensor_constant& in, session& run) {
  std::string line;
  if (given.json) {
    line = json_of([&](json_text::writer<>& to) {
      to.begin_object();
      to.key("address").begin_object();
      for (const auto& part : at) to.key(part.dimension).string(part.label);
      to.end_object();
      to.key("value").raw(constant::value_json(in, at));
      to.end_object();
    });
  } else {
    line = constant::names_block(in.type(), at) ? constant::value_json(in, at)
                                                : constant::cell_text(in.cell(at), in.type().cell_type());
  }
  run.out.write(line + '\n');
}

void run_constant_get(const constant_get_options& given, session& run) {
  const std::vector<constant::address_part> at = parts_of(given.address);
  const constant::read_options how = read_options_of(given.input, run);
  run.report.guard(given.file, [&] {
    const constant::tensor_constant in = read_valid_constant(given.file, how, run);
    try {
      print(given, at, in, run);
    } catch (const error& e) {
      if (e.code().category() != constant::category()) throw;
      if (e.code() == constant::errc::no_such_cell)
        throw cli_error("no block has these labels",
                        fmt::format("run `tgmap constant cells {}` to list all cells", given.file));
      throw cli_error(fmt::format("the address does not fit {}: {}", in.type().text(), e.code().message()),
                      "an address is " + dimensions_of(in.type()));
    }
  });
}

}  // namespace

action declare_constant_get(CLI::App& app, session& run) {
  const auto given = std::make_shared<constant_get_options>();
  app.add_option("FILE", given->file,
                 "A message (FILE.tgm:MESSAGE) or a file of JSON, .json.lz4 or .tbf; - is JSON on standard input")
      ->required()
      ->type_name("");
  app.add_option("ADDRESS", given->address,
                 "One label for each dimension, as key=abc x=2; for a whole block, only the mapped dimensions")
      ->type_name("");
  add_constant_input_options(app, given->input, run);
  app.add_flag("-j,--json", given->json, "Print one JSON object with the address and the value");
  return [given, &run] { run_constant_get(*given, run); };
}

}  // namespace tgmap::cli
