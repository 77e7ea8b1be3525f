// SPDX-License-Identifier: Apache-2.0
// Parameters of ECMWF's database, by number and name.
#include <tgmap/query/parameters.hpp>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <system_error>

namespace tgmap {
inline namespace v0 {

namespace {

namespace table {

/// A row of the table. Texts are places in pools, so that the table needs no relocations when a program starts.
struct row {
  std::uint32_t id, short_name, variable;
  std::uint16_t units, standard_name;
};

/// A `code` is a number of GRIB 1, 1000 * table + number, whose parameter has another number than rule_of() gives.
struct code {
  std::uint32_t value, id;
};

#include "query/parameters/parameter_table.inc"

}  // namespace table

std::string_view short_name_of(const table::row& of) noexcept { return table::names + of.short_name; }

parameter parameter_of(const table::row& from) noexcept {
  const std::string_view variable = table::names + from.variable;
  return {.id = from.id,
          .short_name = short_name_of(from),
          .variable = variable.empty() ? short_name_of(from) : variable,
          .units = table::other_texts + from.units,
          .standard_name = table::other_texts + from.standard_name};
}

/// Reads a number of digits without a leading zero.
std::optional<std::uint32_t> read_digits(std::string_view text) noexcept {
  std::uint32_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size() || text.front() == '0') return std::nullopt;
  return out;
}

/// Returns the parameter number of a code of GRIB 1: the table counts, except the most frequent one, 128.
constexpr std::uint32_t rule_of(std::uint32_t code) noexcept { return code / 1000 == 128 ? code % 1000 : code; }

/// Reads "167.128" as 128167. Tables below 128 are those of the WMO, whose codes depend on the level, too.
std::optional<std::uint32_t> read_code(std::string_view text) noexcept {
  const std::size_t dot = text.find('.');
  if (dot == text.npos) return std::nullopt;
  const auto number = read_digits(text.substr(0, dot)), table = read_digits(text.substr(dot + 1));
  if (!number || !table || *number > 255 || *table < 128 || *table > 255) return std::nullopt;
  return *table * 1000 + *number;
}

std::uint32_t parameter_of_code(std::uint32_t value) noexcept {
  const auto* const found = std::ranges::lower_bound(table::codes, value, {}, &table::code::value);
  return found != std::end(table::codes) && found->value == value ? found->id : rule_of(value);
}

std::string text_of_code(std::uint32_t value) {
  return std::to_string(value % 1000) + '.' + std::to_string(value / 1000);
}

/// Adds the codes of GRIB 1 that a parameter has.
void add_codes(std::uint32_t id, std::vector<std::string>& to) {
  const std::uint32_t by_rule = id < 1000 ? 128'000 + id : id;
  if (by_rule % 1000 <= 255 && by_rule / 1000 >= 128 && by_rule / 1000 <= 255 && parameter_of_code(by_rule) == id)
    to.push_back(text_of_code(by_rule));
  for (const table::code& each : table::codes)
    if (each.id == id) to.push_back(text_of_code(each.value));
}

}  // namespace

std::optional<parameter> find_parameter(std::uint64_t id) noexcept {
  const auto* const found = std::ranges::lower_bound(table::rows, id, {}, &table::row::id);
  if (found == std::end(table::rows) || found->id != id) return std::nullopt;
  return parameter_of(*found);
}

std::vector<parameter> find_parameters(std::string_view text) {
  std::vector<parameter> out;
  const auto name_of = [](std::uint16_t i) { return short_name_of(table::rows[i]); };
  const auto* at = std::ranges::lower_bound(table::rows_by_name, text, {}, name_of);
  for (; at != std::end(table::rows_by_name) && name_of(*at) == text; ++at)
    out.push_back(parameter_of(table::rows[*at]));
  std::optional<std::uint32_t> id = read_digits(text);
  if (const auto code = read_code(text)) id = parameter_of_code(*code);
  const auto found = id ? find_parameter(*id) : std::nullopt;
  const auto is_found = [&](const parameter& each) { return each.id == found->id; };
  if (found && std::ranges::none_of(out, is_found)) out.push_back(*found);
  std::ranges::sort(out, {}, &parameter::id);
  return out;
}

std::vector<std::string> parameter_synonyms(std::string_view text) {
  std::vector<std::string> out;
  for (const parameter& each : find_parameters(text)) {
    out.emplace_back(each.short_name);
    out.push_back(std::to_string(each.id));
    add_codes(each.id, out);
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  std::erase(out, text);
  return out;
}

}  // namespace v0
}  // namespace tgmap
