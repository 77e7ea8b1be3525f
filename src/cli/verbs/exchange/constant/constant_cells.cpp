// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <memory>

#include "cli/print/json.hpp"
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

void append_cell_json(std::string& to, double value) {
  if (std::isfinite(value)) {
    to += json(value).dump();
  } else {
    to += '"';
    to += non_finite_name(value);
    to += '"';
  }
}

void append_json_text(std::string& to, std::string_view text) {
  to += json(text).dump(-1, ' ', true, json::error_handler_t::replace);
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

void cell_addresses::append_json(std::string& to) const {
  auto label = labels_.begin();
  auto index = indices_.begin();
  to += '{';
  for (const auto& one : type_->dimensions()) {
    if (to.back() != '{') to += ',';
    to += '"';
    to += one.name;
    to += "\":";
    if (one.is_mapped())
      append_json_text(to, *label++);
    else
      fmt::format_to(std::back_inserter(to), "{}", *index++);
  }
  to += '}';
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

/// Calls `each(address, value, line)` for each cell and writes the line.
template <class Each>
void write_cells(const constant::tensor_constant& from, output& to, Each&& each) {
  const std::uint64_t in_block = from.type().block_cells();
  std::string line;
  for (std::uint64_t block = 0; block < from.blocks(); ++block) {
    cell_addresses at(from, block);
    for (std::uint64_t cell = 0; cell < in_block; ++cell, at.advance()) {
      line.clear();
      each(at, from.value(block * in_block + cell), line);
      to.write(line);
    }
  }
}

void write_json(const constant::tensor_constant& from, output& to) {
  to.write("{\"type\":\"" + from.type().text() + "\",\"cells\":[");
  bool first = true;
  write_cells(from, to, [&](const cell_addresses& at, double value, std::string& line) {
    line += first ? "{\"address\":" : ",{\"address\":";
    first = false;
    at.append_json(line);
    line += ",\"value\":";
    append_cell_json(line, value);
    line += '}';
  });
  to.write("]}\n");
}

void write_text(const constant::tensor_constant& from, output& to) {
  write_cells(from, to, [&](const cell_addresses& at, double value, std::string& line) {
    at.append_text(line);
    if (!line.empty()) line += '\t';
    append_cell_value(line, value, from.type().cell_type());
    line += '\n';
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
