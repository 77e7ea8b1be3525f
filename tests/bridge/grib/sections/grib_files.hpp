// SPDX-License-Identifier: Apache-2.0
// The GRIB files of tests/data/grib, and what ecCodes reads in them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <support/bytes.hpp>
#include <vector>

#include "bridge/grib/sections/field.hpp"

namespace tgmap_test {

/// Returns the bytes of tests/data/grib/NAME.grib.
bytes grib_file(const std::string& name);

/// Returns the names of all files.
std::vector<std::string> grib_file_names();

/// A row of expected.tsv: keys of one field, as ecCodes prints them.
struct expected_field {
  std::string file;
  std::size_t number = 0;
  std::map<std::string, std::string> keys;

  const std::string& text(const std::string& key) const { return keys.at(key); }
  std::int64_t integer(const std::string& key) const { return std::stoll(keys.at(key)); }
  double real(const std::string& key) const { return std::stod(keys.at(key)); }
  /// Returns nothing if ecCodes has no such key or says that it is missing.
  std::optional<std::int64_t> integer_if_any(const std::string& key) const;
};

/// Returns the rows of expected.tsv.
std::vector<expected_field> expected_fields();

/// Returns the rows of such a table.
std::vector<expected_field> read_expected(const std::string& table);

/// Returns all fields of the message that `content` begins with. Fails the test on an error.
std::vector<tgmap::bridge::grib::field> fields_of(std::span<const std::byte> content);

/// Replaces `width` bytes of section `number`, of GRIB 2 or 1, of the only field of a message.
void put_in_section(bytes& message, unsigned number, std::size_t at, std::uint64_t value, unsigned width);

}  // namespace tgmap_test
