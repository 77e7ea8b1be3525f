// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <memory>

#include "cli/verbs/exchange/constant/constant.hpp"
#include "core/text/escape.hpp"

namespace tgmap::cli {

namespace {

std::string_view non_finite_name(double value) noexcept {
  if (std::isnan(value)) return std::signbit(value) ? "-NaN" : "NaN";
  return value > 0 ? "Infinity" : "-Infinity";
}

}  // namespace

void append_cell_value(std::string& to, double value, dtype cells) {
  if (!std::isfinite(value))
    to += non_finite_name(value);
  else if (cells == dtype::float64)
    fmt::format_to(std::back_inserter(to), "{}", value);
  else
    fmt::format_to(std::back_inserter(to), "{}", static_cast<float>(value));
}

void put_cell(json_text::writer<>& to, double value) {
  std::isfinite(value) ? to.floating(value) : to.string(non_finite_name(value));
}

cell_addresses::cell_addresses(const constant::tensor_constant& of, std::uint64_t block) : type_(&of.type()) {
  for (std::size_t i = 0; i < type_->mapped_count(); ++i) labels_.push_back(of.label(block, i));
  indices_.resize(type_->indexed_count());
}

void cell_addresses::append_text(std::string& to) const {
  auto label = labels_.begin();
  auto index = indices_.begin();
  bool first = true;
  for (const auto& one : type_->dimensions()) {
    if (!std::exchange(first, false)) to += ' ';
    to += one.name;
    to += '=';
    if (one.is_mapped())
      to += core::escaped(*label++);
    else
      fmt::format_to(std::back_inserter(to), "{}", *index++);
  }
}

void cell_addresses::put(json_text::writer<>& to) const {
  auto label = labels_.begin();
  auto index = indices_.begin();
  to.begin_object();
  for (const auto& one : type_->dimensions()) {
    to.key(one.name);
    one.is_mapped() ? to.string(*label++) : to.integer(*index++);
  }
  to.end_object();
}

void cell_addresses::advance() noexcept {
  std::size_t at = indices_.size();
  for (auto one = type_->dimensions().rbegin(); one != type_->dimensions().rend(); ++one) {
    if (one->is_mapped()) continue;
    if (++indices_[--at] < one->size) return;
    indices_[at] = 0;
  }
}

namespace {

struct constant_cells_options {
  std::string file;
  constant_input_options input;
  bool json = false;
};

/// Calls `each(address, value)` for each cell.
template <class Each>
void for_each_cell(const constant::tensor_constant& from, Each&& each) {
  const std::uint64_t in_block = from.type().block_cells();
  for (std::uint64_t block = 0; block < from.blocks(); ++block) {
    cell_addresses at(from, block);
    for (std::uint64_t cell = 0; cell < in_block; ++cell, at.advance()) each(at, from.value(block * in_block + cell));
  }
}

void write_json(const constant::tensor_constant& from, output& out) {
  json_text::writer<> to(out, json_text::ascii_style);
  to.begin_object();
  to.key("type").string(from.type().text());
  to.key("cells").begin_array();
  for_each_cell(from, [&](const cell_addresses& at, double value) {
    to.begin_object();
    at.put(to.key("address"));
    put_cell(to.key("value"), value);
    to.end_object();
  });
  to.end_array();
  to.end_object();
  out.write("\n");
}

void write_text(const constant::tensor_constant& from, output& to) {
  std::string line;
  for_each_cell(from, [&](const cell_addresses& at, double value) {
    line.clear();
    at.append_text(line);
    if (!line.empty()) line += '\t';
    append_cell_value(line, value, from.type().cell_type());
    line += '\n';
    to.write(line);
  });
}

void run_constant_cells(const constant_cells_options& given, session& run) {
  const constant::read_options how = read_options_of(given.input, run);
  run.report.guard(given.file, [&] {
    const constant::tensor_constant from = read_valid_constant(given.file, how, run);
    given.json ? write_json(from, run.out) : write_text(from, run.out);
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
