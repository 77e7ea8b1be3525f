// SPDX-License-Identifier: Apache-2.0
// Values that ecCodes decodes, beside those that its tools print, and damaged ones.
#include "bridge/grib/keys/eccodes_values.hpp"

#include <boost/test/unit_test.hpp>
#include <charconv>
#include <cmath>
#include <support/shared_data.hpp>

#include "grib_files.hpp"

using namespace tgmap_test;
using namespace tgmap::bridge::grib;

BOOST_AUTO_TEST_SUITE(eccodes_values_test)

namespace {

std::string grib_file(std::string_view name) { return read_file(test_data() / "grib" / name); }

std::vector<double> values_of(const std::string& data, failure& why, std::uint64_t max_values = 1U << 20U) {
  field_reader fields(std::as_bytes(std::span(data)), 0, why);
  field each;
  return fields.next(each, why) ? read_values_by_eccodes(each, why, max_values) : std::vector<double>();
}

}  // namespace

BOOST_AUTO_TEST_CASE(values_are_those_of_the_tools) {
  if (!has_eccodes_tools()) return;
  for (const char* name : {"jpeg.grib", "png.grib", "second_order.grib", "edition_1_second_order.grib",
                           "logarithm.grib", "simple_bitmap.grib", "edition_1_bitmap.grib", "complex_missing_1.grib"}) {
    BOOST_TEST_CONTEXT(name) {
      failure why;
      const std::vector<double> found = values_of(grib_file(name), why);
      BOOST_TEST(!why, why.text());
      // One line a point: latitude, longitude, value.
      std::istringstream lines(
          output_of("grib_get_data -m missing -F %.17g " + (test_data() / "grib" / name).string()));
      std::string latitude, longitude, text;
      std::getline(lines, text);
      std::size_t i = 0, differences = 0;
      for (; lines >> latitude >> longitude >> text; ++i) {
        const bool is_missing = text == "missing";
        if (i >= found.size() || std::isnan(found[i]) != is_missing || (!is_missing && found[i] != std::stod(text)))
          ++differences;
      }
      BOOST_TEST(i == found.size());
      BOOST_TEST(i == 496u);
      BOOST_TEST(differences == 0u);
    }
  }
}

BOOST_AUTO_TEST_CASE(spectral_values_are_decoded) {
  if (!has_eccodes()) return;
  failure why;
  BOOST_TEST(values_of(grib_file("spectral.grib"), why).size() == 132u);
  BOOST_TEST(!why, why.text());
}

BOOST_AUTO_TEST_CASE(more_values_than_the_limit_are_an_error) {
  if (!has_eccodes()) return;
  failure why;
  BOOST_TEST(values_of(grib_file("jpeg.grib"), why, 495).empty());
  BOOST_TEST((why.code == tgmap::errc::decoded_limit));
  BOOST_TEST(why.expected == 495u);
  BOOST_TEST(why.found == 496u);
  BOOST_TEST(values_of(grib_file("jpeg.grib"), why, 496).size() == 496u);
}

BOOST_AUTO_TEST_CASE(pictures_of_another_size_are_errors) {
  for (const auto& [name, marker, width_at] :
       {std::tuple{"jpeg.grib", std::string("\xFF\x4F\xFF\x51"), 8}, {"png.grib", std::string("IHDR"), 4}}) {
    std::string data = grib_file(name);
    const std::size_t at = data.find(marker);
    BOOST_REQUIRE(at != data.npos);
    data[at + static_cast<std::size_t>(width_at)] = 0x10;  // 2^28 columns more
    failure why;
    BOOST_TEST(values_of(data, why).empty());
    BOOST_TEST((why.code == tgmap::bridge::errc::value_count), why.text());
    BOOST_TEST(why.expected == 496u);
    data[at] ^= 1;
    BOOST_TEST(values_of(data, why).empty());
    BOOST_TEST((why.code == tgmap::bridge::errc::bad_parameter), why.text());
  }
}

BOOST_AUTO_TEST_CASE(damaged_values_print_nothing) {
  if (!has_eccodes()) return;
  for (const char* name :
       {"jpeg.grib", "png.grib", "second_order.grib", "edition_1_second_order.grib", "spectral.grib"}) {
    const std::string data = grib_file(name);
    std::string text;
    std::size_t errors = 0;
    {
      const captured_standard_error capture(text);
      for (std::size_t at = data.size() - 5; at > data.size() / 2; at -= 7) {
        std::string damaged = data;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x5A);
        failure why;
        values_of(damaged, why);
        errors += why ? 1 : 0;
      }
    }
    BOOST_TEST(text == "", name);
    if (std::string_view(name) == "png.grib") BOOST_TEST(errors > 0u);
  }
}

BOOST_AUTO_TEST_SUITE_END()
