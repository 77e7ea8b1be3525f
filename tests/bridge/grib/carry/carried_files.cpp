// SPDX-License-Identifier: Apache-2.0
#include "carried_files.hpp"

#include <bit>
#include <boost/test/unit_test.hpp>
#include <bridge/grib/sections/grib_files.hpp>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <support/temporary.hpp>

#include "bridge/grib/eccodes/eccodes_library.hpp"
#include "bridge/grib/sections/bitmap.hpp"

namespace tgmap_test {

namespace {

std::size_t message_size(std::span<const std::byte> content) {
  const auto at = [&](std::size_t i) { return std::to_integer<std::size_t>(content[i]); };
  if (at(7) == 1) return at(4) << 16 | at(5) << 8 | at(6);
  std::size_t out = 0;
  for (std::size_t i = 8; i < 16; ++i) out = out << 8 | at(i);
  return out;
}

/// Decodes a message of one field by ecCodes.
void decode_by_eccodes(const grib::field& from, grib::decoded_values& out, tgmap::failure& why) {
  const auto& library = *grib::eccodes_library::get();
  const grib::eccodes_call call(library);
  const grib::eccodes_handle handle(
      library, library.codes_handle_new_from_message_copy(nullptr, from.message.data(), from.message.size()));
  constexpr double missing = 1e300;
  std::size_t size = 0;
  bool is_read = handle && library.codes_get_size(handle.get(), "values", &size) == 0;
  if (is_read) library.codes_set_double(handle.get(), "missingValue", missing);
  out.values.resize(size);
  is_read = is_read && library.codes_get_double_array(handle.get(), "values", out.values.data(), &size) == 0;
  if (!is_read) {
    why = {.code = tgmap::errc::codec_failed};
    return;
  }
  std::vector<std::byte> present((size + 7) / 8);
  bool is_complete = true;
  for (std::size_t i = 0; i < size; ++i) {
    if (out.values[i] == missing) {
      is_complete = false;
    } else {
      present[i / 8] |= static_cast<std::byte>(0x80U >> i % 8);
    }
  }
  if (!is_complete) out.present = std::move(present);
}

}  // namespace

std::vector<grib::field> fields_of_file(std::span<const std::byte> content) {
  std::vector<grib::field> out;
  while (!content.empty()) {
    const std::size_t size = message_size(content);
    for (const auto& each : fields_of(content.first(size))) out.push_back(each);
    content = content.subspan(size);
  }
  return out;
}

grib::carry_options with_eccodes(grib::carry_options options) {
  if (grib::eccodes_library::get() != nullptr) options.decode = decode_by_eccodes;
  return options;
}

grib::carried_field carry(const grib::field& from, grib::carry_options options) {
  grib::carry_memory memory;
  tgmap::failure why;
  auto out = grib::carry_field(from, with_eccodes(std::move(options)), memory, why);
  BOOST_REQUIRE_MESSAGE(!why, why.text());
  return out;
}

std::vector<std::byte> archive_of(const grib::carried_field& field) {
  tgmap::new_message content;
  auto& object = std::get<tgmap::stored_object>(content.objects.emplace_back(field.object));
  object.base = field.base;
  return tgmap::to_bytes(content);
}

grib::rebuilt_source source_of(const grib::carried_field& field) {
  return {.descriptor = field.object.descriptor.view(),
          .payload_and_masks = field.object.payload_and_masks,
          .base = field.base.view()};
}

std::vector<double> values_of(std::span<const std::byte> archive) {
  const auto opened = tgmap::archive::from_memory(archive);
  const auto object = opened[0][0];
  std::vector<double> out;
  if (object.descriptor().dtype == tgmap::dtype::float64) return object.to_vector<double>();
  for (const float each : object.to_vector<float>()) out.push_back(each);
  return out;
}

std::uint32_t crc_of(std::span<const double> values) {
  std::uint32_t out = 0xFFFFFFFF;
  for (const double each : values) {
    const auto bits = std::isnan(each) ? 0x7ff8000000000000 : std::bit_cast<std::uint64_t>(each);
    for (int shift = 56; shift >= 0; shift -= 8) {
      out ^= static_cast<std::uint8_t>(bits >> shift);
      for (int i = 0; i < 8; ++i) out = out >> 1 ^ ((out & 1) != 0 ? 0xEDB88320 : 0);
    }
  }
  return ~out;
}

std::vector<expected_values> all_expected_values() {
  std::istringstream lines(read_file(std::filesystem::path(TGMAP_SOURCE_DIR) / "tests/data/grib/values.tsv"));
  std::vector<expected_values> out;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    expected_values row;
    words >> row.file >> row.number >> row.points >> row.missing >> std::hex >> row.crc;
    BOOST_REQUIRE(!words.fail());
    out.push_back(row);
  }
  return out;
}

}  // namespace tgmap_test
