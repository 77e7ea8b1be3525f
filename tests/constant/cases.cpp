// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <support/shared_data.hpp>
#include <tgmap/constant/builder.hpp>
#include <vector>

namespace constant = tgmap::constant;
using nlohmann::json;

namespace tgmap_test {

namespace {

json json_value(double value) {
  if (std::isnan(value)) return std::signbit(value) ? "-NaN" : "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

double value_of(const json& value) {
  if (!value.is_string()) return value.get<double>();
  const std::string word = value;
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  if (word == "NaN") return nan;
  if (word == "-NaN") return -nan;
  if (word == "Infinity") return infinity;
  if (word == "-Infinity") return -infinity;
  throw std::invalid_argument("a case with the value " + word);
}

template <class T>
void put(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

void put_cell(tgmap::dtype type, std::byte* to, double value) {
  switch (type) {
    case tgmap::dtype::float64: return put(to, value);
    case tgmap::dtype::float32: return put(to, static_cast<float>(value));
    case tgmap::dtype::bfloat16: {
      std::uint32_t bits = 0;
      const float narrow = static_cast<float>(value);
      std::memcpy(&bits, &narrow, sizeof bits);
      return put(to, static_cast<std::uint16_t>(bits >> 16));
    }
    default: return put(to, static_cast<std::int8_t>(value));
  }
}

/// Returns cells by their addresses as text. Labels of indexed dimensions are numbers.
std::map<std::string, json> by_address(const constant::tensor_type& type, const json& cells) {
  std::map<std::string, json> out;
  for (const json& cell : cells) {
    json at = cell.at("address");
    for (const auto& one : type.dimensions())
      if (!one.is_mapped() && at.contains(one.name) && at[one.name].is_string())
        at[one.name] = std::stoull(at[one.name].get<std::string>());
    const json& value = cell.at("value");
    out[at.dump()] = value.is_number() ? json(value.get<double>()) : value;
  }
  return out;
}

}  // namespace

std::optional<json> shared_cases(const char* file) {
  const auto root = shared_data_or_skip(std::string("constants of ") + file);
  if (!root) return {};
  std::ifstream in(*root / "data/vespa" / file, std::ios::binary);
  return json::parse(in);
}

json to_case(const constant::tensor_constant& constant) {
  const auto& type = constant.type();
  json cells = json::array();
  for (std::uint64_t cell = 0; cell < constant.size(); ++cell) {
    json at = json::object();
    std::uint64_t rest = cell % type.block_cells();
    std::size_t mapped = type.mapped_count();
    for (std::size_t d = type.dimensions().size(); d-- > 0;) {
      const auto& one = type.dimensions()[d];
      if (one.is_mapped()) {
        at[one.name] = constant.label(cell / type.block_cells(), --mapped);
      } else {
        at[one.name] = rest % one.size;
        rest /= one.size;
      }
    }
    cells.push_back({{"address", at}, {"value", json_value(constant.value(cell))}});
  }
  return {{"canonical_type", type.text()}, {"cells", cells}};
}

std::string difference(const constant::tensor_constant& constant, const json& expected) {
  const json seen = to_case(constant);
  if (seen["canonical_type"] != expected.at("canonical_type"))
    return "type " + seen["canonical_type"].dump() + ", not " + expected.at("canonical_type").dump();
  const auto is = by_address(constant.type(), seen["cells"]),
             should = by_address(constant.type(), expected.at("cells"));
  if (is.size() != constant.size()) return "two cells of one address";
  for (const auto& [at, value] : should) {
    const auto there = is.find(at);
    if (there == is.end()) return "no cell " + at;
    if (there->second != value) return at + " is " + there->second.dump() + ", not " + value.dump();
  }
  return is.size() == should.size() ? "" : std::to_string(is.size()) + " cells, not " + std::to_string(should.size());
}

constant::tensor_constant constant_of(const std::string& type, const json& cells) {
  constant::builder make(constant::tensor_type::parse(type));
  const auto all = make.type().dimensions();
  for (const json& cell : cells) {
    std::vector<std::string> labels;
    std::uint64_t within = 0;
    for (const auto& one : all) {
      const json& label = cell.at("address").at(one.name);
      if (one.is_mapped())
        labels.push_back(label.get<std::string>());
      else
        within = within * one.size +
                 (label.is_string() ? std::stoull(label.get<std::string>()) : label.get<std::uint64_t>());
    }
    const std::vector<std::string_view> views(labels.begin(), labels.end());
    const auto at = make.find_or_add(views);
    const std::size_t width = tgmap::element_size(make.type().cell_type());
    put_cell(make.type().cell_type(), make.cells(at.block).data() + within * width, value_of(cell.at("value")));
  }
  return make.finish();
}

}  // namespace tgmap_test
