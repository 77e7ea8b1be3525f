// SPDX-License-Identifier: Apache-2.0
#include "grib_files.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <sstream>
#include <support/temporary.hpp>

namespace tgmap_test {

namespace grib = tgmap::bridge::grib;

namespace {

std::filesystem::path folder() { return std::filesystem::path(TGMAP_SOURCE_DIR) / "tests/data/grib"; }

}  // namespace

bytes grib_file(const std::string& name) { return read_file(folder() / (name + ".grib")); }

std::vector<std::string> grib_file_names() {
  std::vector<std::string> out;
  for (const auto& each : std::filesystem::directory_iterator(folder()))
    if (each.path().extension() == ".grib") out.push_back(each.path().stem().string());
  std::ranges::sort(out);
  BOOST_REQUIRE(out.size() > 40);
  return out;
}

std::optional<std::int64_t> expected_field::integer_if_any(const std::string& key) const {
  const std::string& value = keys.at(key);
  if (value == "not_found" || value == "MISSING") return std::nullopt;
  return std::stoll(value);
}

std::vector<expected_field> read_expected(const std::string& table) {
  std::istringstream lines(table);
  std::vector<std::string> names;
  std::vector<expected_field> out;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::vector<std::string> cells;
    for (std::string word; words >> word;) cells.push_back(word);
    if (names.empty()) {
      names = cells;
      continue;
    }
    BOOST_REQUIRE(cells.size() == names.size());
    expected_field row{cells.at(0), std::stoul(cells.at(1)), {}};
    for (std::size_t i = 2; i < cells.size(); ++i) row.keys[names[i]] = cells[i];
    out.push_back(std::move(row));
  }
  return out;
}

std::vector<expected_field> expected_fields() { return read_expected(read_file(folder() / "expected.tsv")); }

std::vector<grib::field> fields_of(std::span<const std::byte> content) {
  tgmap::failure why;
  grib::field_reader reader(content, 0, why);
  BOOST_REQUIRE_MESSAGE(!why, why.text());
  std::vector<grib::field> out(reader.size());
  for (grib::field& each : out) BOOST_REQUIRE(reader.next(each, why));
  grib::field none;
  BOOST_REQUIRE(!reader.next(none, why));
  BOOST_REQUIRE(!why);
  return out;
}

void put_in_section(bytes& message, unsigned number, std::size_t at, std::uint64_t value, unsigned width) {
  const auto fields = fields_of(span_of(message));
  BOOST_REQUIRE(fields.size() == 1);
  const auto section = fields[0].sections[number];
  BOOST_REQUIRE(at + width <= section.size());
  put(message, static_cast<std::size_t>(section.data() - fields[0].message.data()) + at, value, width);
}

}  // namespace tgmap_test
