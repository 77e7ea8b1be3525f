// SPDX-License-Identifier: Apache-2.0
// Samples of ecCodes, and variants of them that its tool grib_set makes: values are those of ecCodes, bit for bit where
// that is promised, and GRIB comes back identical. Skipped without ecCodes and its tools.
#include <boost/test/unit_test.hpp>
#include <bridge/grib/carry/carried_files.hpp>
#include <bridge/grib/needs_eccodes.hpp>
#include <bridge/grib/sections/grib_files.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <support/rounds.hpp>
#include <support/temporary.hpp>

#include "bridge/grib/carry/message_builder.hpp"

using namespace tgmap_test;
using tgmap::failure;

BOOST_AUTO_TEST_SUITE(bridge_eccodes_variants)

namespace {

/// Returns the folder of samples; empty if the tools are not installed.
std::filesystem::path samples_folder(const temporary_directory& temporary) {
  const auto file = (temporary / "folder").string();
  if (std::system(("command -v grib_set > " + file + " && codes_info -s > " + file + " 2>&1").c_str()) != 0) return {};
  auto text = read_file(file);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

double units_in_last_place(double one, double other) {
  if (one == other || (std::isnan(one) && std::isnan(other))) return 0;
  return std::abs(one - other) / (std::nextafter(std::abs(other), INFINITY) - std::abs(other));
}

struct tally {
  std::size_t exact = 0, rounded = 0, unreadable = 0;
  double largest_error = 0;  ///< in units of the last place of float32
};

/// Carries each field of a file, compares its values with those of ecCodes, and builds the messages again.
void check_file(const std::string& content, const std::string& name, tally& count) {
  failure why;
  for (const auto& from : [&] {
         try {
           return fields_of_file(span_of(content));
         } catch (const std::exception&) {
           return std::vector<grib::field>{};
         }
       }()) {
    grib::carry_memory memory;
    auto options = with_eccodes();
    const auto field = grib::carry_field(from, options, memory, why);
    if (why) {
      BOOST_TEST_MESSAGE(name << ": " << why.text());
      ++count.unreadable;
      continue;
    }
    grib::decoded_values expected;
    options.decode(from, expected, why);
    BOOST_TEST_REQUIRE(!why);
    const auto found = values_of(archive_of(field));
    BOOST_TEST_REQUIRE(found.size() == expected.values.size(), name);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const bool is_there =
          expected.present.empty() || (std::to_integer<unsigned>(expected.present[i / 8]) & (0x80U >> i % 8)) != 0;
      if (!is_there) expected.values[i] = NAN;
    }
    if (field.is_exact) {
      BOOST_TEST(crc_of(found) == crc_of(expected.values), name);
      ++count.exact;
    } else {
      for (std::size_t i = 0; i < found.size(); ++i)
        count.largest_error =
            std::max(count.largest_error,
                     units_in_last_place(static_cast<float>(found[i]), static_cast<float>(expected.values[i])));
      ++count.rounded;
    }
    grib::message_builder builder;
    builder.add(source_of(field), why);
    BOOST_TEST(!why, name << ": " << why.text());
    std::vector<grib::byte_view> pieces;
    std::string again;
    while (builder.take(pieces))
      for (const auto piece : pieces) again += view_of(piece);
    BOOST_TEST((again == view_of(from.message)), name);
  }
}

void report(const tally& count) {
  BOOST_TEST_MESSAGE(count.exact << " fields with the values of ecCodes, " << count.rounded
                                 << " rounded (float32: at most " << count.largest_error
                                 << " units in the last place), " << count.unreadable << " unreadable");
}

/// Gaussian samples of more rows have up to six million points, all of one value. Each takes a second.
bool is_large(const std::string& name) {
  const std::size_t digits = name.find_first_of("0123456789");
  return digits != name.npos && std::atoi(name.c_str() + digits) > 128;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_sample) {
  if (!has_eccodes()) return;
  const temporary_directory temporary;
  const auto folder = samples_folder(temporary);
  if (folder.empty()) return say_skipped("samples of ecCodes", "its tools are missing; install libeccodes-tools");
  tally count;
  for (const auto& each : std::filesystem::directory_iterator(folder)) {
    if (!all_rounds_wanted() && is_large(each.path().filename().string())) continue;
    auto content = read_file(each.path());
    if (content.ends_with(std::string(1, '\0')))
      content.resize(content.rfind("7777") + 4);  // some have zeros at their end
    if (content.starts_with("GRIB")) check_file(content, each.path().filename().string(), count);
  }
  report(count);
  BOOST_TEST(count.exact > 50u);
  BOOST_TEST(count.largest_error <= 1);
}

BOOST_AUTO_TEST_CASE(packings_and_widths_of_grib_set) {
  if (!has_eccodes()) return;
  const temporary_directory temporary;
  const auto folder = samples_folder(temporary);
  if (folder.empty()) return say_skipped("variants of grib_set", "its tools are missing; install libeccodes-tools");
  tally count;
  const auto out = (temporary / "out.grib").string();
  const auto in = (temporary / "in.grib").string();
  const auto try_variant = [&](const std::string& name, const std::string& options) {
    std::filesystem::remove(out);
    const auto command = "grib_set -r " + options + " '" + in + "' '" + out + "' > /dev/null 2>&1";
    if (std::system(command.c_str()) == 0 && std::filesystem::exists(out))
      check_file(read_file(out), name + " " + options, count);
  };
  // The samples have the same value everywhere. These files have others.
  const auto try_keys = [&](const char* name, const char* packing, std::initializer_list<const char*> keys) {
    std::ofstream(in, std::ios::binary) << grib_file(name);
    for (const char* each : keys) try_variant(name, std::string("-s packingType=") + packing + each);
  };
  try_keys("simple_24", "grid_simple",
           {",bitsPerValue=3", ",bitsPerValue=11", ",bitsPerValue=31", ",changeDecimalPrecision=1",
            ",changeDecimalPrecision=-1"});
  try_keys("simple_24", "grid_ccsds",
           {",bitsPerValue=1", ",bitsPerValue=3", ",bitsPerValue=11", ",bitsPerValue=17", ",bitsPerValue=31",
            ",bitsPerValue=32", ",changeDecimalPrecision=1", ",changeDecimalPrecision=3"});
  try_keys("simple_24", "grid_", {"ieee", "jpeg", "second_order", "complex"});
  try_keys("simple_bitmap", "grid_ccsds", {",bitsPerValue=8", ",bitsPerValue=12", ",changeDecimalPrecision=2"});
  try_keys("simple_bitmap", "grid_", {"ieee", "jpeg", "second_order"});
  try_keys("edition_1_16", "grid_",
           {"simple,bitsPerValue=24", "simple,changeDecimalPrecision=2", "second_order", "ieee"});
  try_keys("edition_1_bitmap", "grid_", {"simple,bitsPerValue=9", "simple,changeDecimalPrecision=2", "second_order"});
  report(count);
  BOOST_TEST(count.exact > 15u);
  BOOST_TEST(count.rounded > 3u);
  BOOST_TEST(count.largest_error <= 1);
}

BOOST_AUTO_TEST_SUITE_END()
