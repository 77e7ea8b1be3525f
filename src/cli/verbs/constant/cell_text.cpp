// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/constant/cell_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "cli/print/json.hpp"
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

}  // namespace tgmap::cli
