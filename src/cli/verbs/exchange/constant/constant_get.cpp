// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "cli/app/cli_error.hpp"
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

/// Returns true if the address names all mapped dimensions but no indexed ones, which stands for a whole block.
bool names_block(const constant::tensor_type& type, const std::vector<constant::address_part>& at) {
  return type.is_mixed() && at.size() == type.mapped_count() &&
         std::all_of(at.begin(), at.end(), [&](const auto& part) {
           const auto number = type.find(part.dimension);
           return number && type.dimensions()[*number].is_mapped();
         });
}

std::uint64_t find_block(const constant::tensor_constant& in, std::vector<constant::address_part> at) {
  for (const auto& one : in.type().dimensions())
    if (!one.is_mapped()) at.emplace_back(one.name, 0);
  const auto cell = in.find(at);
  if (!cell) throw error(failure{.code = constant::errc::no_such_cell});
  return *cell / in.type().block_cells();
}

/// Writes the cells of a block as nested arrays.
class block_writer {
 public:
  block_writer(const constant::tensor_constant& in, std::uint64_t block)
      : in_(in), cell_(block * in.type().block_cells()) {
    for (const auto& one : in.type().dimensions())
      if (!one.is_mapped()) sizes_.push_back(one.size);
  }

  void put(json_text::writer<>& to, std::size_t depth = 0) {
    if (depth == sizes_.size()) return put_cell(to, in_.value(cell_++));
    to.begin_array();
    for (std::uint64_t i = 0; i < sizes_[depth]; ++i) put(to, depth + 1);
    to.end_array();
  }

 private:
  const constant::tensor_constant& in_;
  std::uint64_t cell_;
  std::vector<std::uint64_t> sizes_{};
};

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
  const auto put_value = [&](json_text::writer<>& to) {
    if (names_block(in.type(), at))
      block_writer(in, find_block(in, at)).put(to);
    else
      put_cell(to, in.cell(at));
  };
  std::string line;
  if (given.json) {
    line = json_of([&](json_text::writer<>& to) {
      to.begin_object();
      to.key("address").begin_object();
      for (const auto& part : at) to.key(part.dimension).string(part.label);
      to.end_object();
      put_value(to.key("value"));
      to.end_object();
    });
  } else if (names_block(in.type(), at)) {
    line = json_of(put_value);
  } else {
    append_cell_value(line, in.cell(at), in.type().cell_type());
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
