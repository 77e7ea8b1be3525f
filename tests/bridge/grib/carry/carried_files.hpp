// SPDX-License-Identifier: Apache-2.0
// Fields of tests/data/grib as objects, and what ecCodes decodes in them.
#pragma once

#include <cstdint>
#include <string>
#include <tgmap/tgmap.hpp>
#include <vector>

#include "bridge/grib/carry/carry_field.hpp"
#include "bridge/grib/carry/field_rebuilder.hpp"

namespace tgmap_test {

namespace grib = tgmap::bridge::grib;

/// Returns all fields of the messages of a file. Lifetime: borrows `content`.
std::vector<grib::field> fields_of_file(std::span<const std::byte> content);

/// Carries a field, and fails the test on an error. ecCodes decodes what cannot be carried, if it is there.
grib::carried_field carry(const grib::field&, grib::carry_options = {});

/// Returns options whose decoder is ecCodes; without it there is none.
grib::carry_options with_eccodes(grib::carry_options = {});

/// Returns an archive of one message with the object of a field and its keys.
std::vector<std::byte> archive_of(const grib::carried_field&);

/// Returns what rebuilds a field from its object, without an archive. Lifetime: borrows the field.
grib::rebuilt_source source_of(const grib::carried_field&);

/// Returns the elements of the first object of an archive, as readers decode them, with NaN where they are masked.
std::vector<double> values_of(std::span<const std::byte> archive);

/// Returns the CRC-32 of values as big-endian doubles, as values.tsv has it.
std::uint32_t crc_of(std::span<const double> values);

/// A row of values.tsv.
struct expected_values {
  std::string file;
  std::size_t number = 0, points = 0, missing = 0;
  std::uint32_t crc = 0;
};
std::vector<expected_values> all_expected_values();

}  // namespace tgmap_test
