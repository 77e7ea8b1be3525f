// SPDX-License-Identifier: Apache-2.0
// Degrees of all samples of ecCodes, compared with those of its own iterators.
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <support/shared_data.hpp>

#include "bridge/grib/eccodes/eccodes_library.hpp"
#include "bridge/grib/grids/computed_degrees.hpp"
#include "bridge/grib/grids/eccodes_degrees.hpp"
#include "bridge/grib/grids/row_points.hpp"
#include "grid_object.hpp"

using namespace tgmap_test;
using tgmap::bridge::grib::eccodes_call;
using tgmap::bridge::grib::eccodes_handle;
using tgmap::bridge::grib::eccodes_library;

BOOST_AUTO_TEST_SUITE(eccodes_grids_test)

namespace {

/// Returns the folder of ecCodes' samples, or says that the test is skipped.
std::filesystem::path samples_or_skip(const char* what) {
  const eccodes_library* const library = eccodes_library::get();
  std::filesystem::path out;
  if (library == nullptr) {
    say_skipped(what, "ecCodes absent");
    return out;
  }
  const auto found = tgmap::bridge::find_eccodes();
  if (found) out = std::filesystem::path(found->definitions).parent_path() / "samples";
  if (!std::filesystem::is_directory(out)) {
    say_skipped(what, "samples of ecCodes absent");
    out.clear();
  }
  return out;
}

bytes content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A point as ecCodes returns it.
struct place {
  double latitude, longitude;
};

/// Returns the points of a message as ecCodes returns them; empty if it knows none. `in_grid`: those of rotated grids
/// in the grid. `by_number`: in the order of the values, which ecCodes returns in another order for some projections.
std::vector<place> places_of(const bytes& message, bool in_grid = false, bool by_number = false) {
  const eccodes_library& library = *eccodes_library::get();
  const eccodes_call call(library);
  const eccodes_handle handle(library,
                              library.codes_handle_new_from_message_copy(nullptr, message.data(), message.size()));
  std::vector<place> out;
  if (!handle) return out;
  std::size_t size = 0;
  library.codes_get_size(handle.get(), "values", &size);
  if (in_grid) library.codes_set_long(handle.get(), "iteratorDisableUnrotate", 1);
  if (by_number) {
    std::vector<double> numbers(size);
    std::iota(numbers.begin(), numbers.end(), 0);
    library.codes_set_long(handle.get(), "bitsPerValue", 24);
    library.codes_set_double_array(handle.get(), "values", numbers.data(), numbers.size());
  }
  int problem = 0;
  grib_iterator* const all = library.codes_grib_iterator_new(handle.get(), 0, &problem);
  if (all == nullptr) return out;
  out.resize(size);
  place at{};
  double value = 0;
  for (std::size_t i = 0; library.codes_grib_iterator_next(all, &at.latitude, &at.longitude, &value) != 0; ++i)
    out.at(by_number ? static_cast<std::size_t>(std::lround(value)) : i) = at;
  library.codes_grib_iterator_delete(all);
  return out;
}

double longitude_difference(double a, double b) { return std::fabs(std::remainder(a - b, 360)); }

/// Returns the largest difference in degrees. Near the poles that of longitudes counts less.
double difference(const tgmap::provided_degrees& found, const std::vector<place>& expected) {
  double out = 0;
  const std::size_t columns = found.are_points ? 1 : found.longitudes.size();
  if (found.latitudes.size() * columns != expected.size()) return 360;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double latitude = found.latitudes[found.are_points ? i : i / columns];
    const double longitude = found.longitudes[found.are_points ? i : i % columns];
    const double shrunk = std::cos(expected[i].latitude * std::acos(-1) / 180);
    out = std::max({out, std::fabs(latitude - expected[i].latitude),
                    longitude_difference(longitude, expected[i].longitude) * shrunk});
  }
  return out;
}

constexpr double degree = 0.017453292519943295;

/// Returns the angle between two places in degrees.
double angle(const place& a, const place& b) {
  const auto unit = [](const place& p) {
    const double c = std::cos(p.latitude * degree);
    return std::array{c * std::cos(p.longitude * degree), c * std::sin(p.longitude * degree),
                      std::sin(p.latitude * degree)};
  };
  const auto p = unit(a), q = unit(b);
  return 2 * std::asin(std::min(1.0, std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) / 2)) / degree;
}

/// Returns the number of a section of GRIB, whose highest bit is its sign, as degrees.
double degrees_at(std::string_view section, std::size_t at, unsigned bytes_each, double unit) {
  const std::uint64_t sign = std::uint64_t{1} << (8 * bytes_each - 1), stored = get(section, at, bytes_each);
  return (stored & sign) != 0 ? -static_cast<double>(stored & ~sign) * unit : static_cast<double>(stored) * unit;
}

/// Returns the section of the grid of a whole message.
bytes grid_section_of(const bytes& message) {
  unsigned edition = 0;
  bool is_damaged = false;
  return bytes(view_of(tgmap::bridge::grib::find_grid_section(span_of(message), edition, is_damaged)));
}

/// Returns the largest difference of the angles to three places of a rotated grid, whose degrees there are given, and
/// which are at known places of the globe: its south pole, and 0 and 90 degrees east on its equator. Old versions of
/// ecCodes return the degrees in the rotated grid.
double rotated_difference(const tgmap::provided_degrees& found, const std::vector<place>& in_grid, const place& pole) {
  const std::pair<place, place> known[] = {
      {{-90, 0}, pole}, {{0, 0}, {pole.latitude + 90, pole.longitude}}, {{0, 90}, {0, pole.longitude + 90}}};
  double out = 0;
  if (found.latitudes.size() != in_grid.size()) return 360;
  for (std::size_t i = 0; i < in_grid.size(); ++i)
    for (const auto& [rotated, globe] : known)
      out = std::max(out,
                     std::fabs(angle(in_grid[i], rotated) - angle({found.latitudes[i], found.longitudes[i]}, globe)));
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_samples_have_the_degrees_of_ecCodes) {
  const auto samples = samples_or_skip("degrees of ecCodes' samples");
  if (samples.empty()) return;
  std::size_t compared = 0;
  for (const auto& each : std::filesystem::directory_iterator(samples)) {
    const bytes message = content_of(each.path());
    const std::string file = each.path().filename().string();
    const std::size_t number = file.find("_pl_");  // "reduced_gg_pl_640_grib1": a minute for all above 320
    const bool is_large =
        number != file.npos && std::atoi(file.c_str() + number + 4) > 320 && file != "reduced_gg_pl_640_grib2.tmpl";
    if (!message.starts_with("GRIB") || is_large) continue;
    const std::string name = each.path().stem().string();
    const std::vector<place> expected = places_of(message, false, name.starts_with("polar"));
    if (expected.empty()) continue;
    const grid_result found = find_degrees(with_sections(message), {expected.size()});
    BOOST_TEST_REQUIRE(found.degrees.has_value(), each.path().filename() << ": " << to_string_view(found.obstacle));
    if (name.find("rotated_gg") != name.npos) {
      const bytes section = grid_section_of(message);
      const bool is_first = name.ends_with("grib1");
      const place pole = is_first ? place{degrees_at(section, 32, 3, 1e-3), degrees_at(section, 35, 3, 1e-3)}
                                  : place{degrees_at(section, 72, 4, 1e-6), degrees_at(section, 76, 4, 1e-6)};
      const double error = rotated_difference(*found.degrees, places_of(message, true), pole);
      BOOST_TEST(error < 1e-5, name << " differs by " << error);
    } else {
      const double error = difference(*found.degrees, expected);
      const double rounding = name.starts_with("rotated_ll") ? 2e-5 : 1e-9;  // old versions of ecCodes round to float
      BOOST_TEST(error < rounding, name << " differs by " << error);
    }
    ++compared;
  }
  BOOST_TEST(compared > 50);
}

namespace {

/// Returns the section of a sample with another scanning mode. First and last degrees are exchanged where rows or
/// columns go the other way.
bytes scanned_section(const std::filesystem::path& sample, unsigned flags) {
  bytes out = grid_section_of(content_of(sample));
  out[71] = static_cast<char>(flags);
  const bytes first = out.substr(46, 8), last = out.substr(55, 8);
  if ((flags & 0x40) != 0) out.replace(46, 4, last, 0, 4).replace(55, 4, first, 0, 4);
  if ((flags & 0x80) != 0) out.replace(50, 4, last, 4, 4).replace(59, 4, first, 4, 4);
  return out;
}

std::vector<place> list_of(const tgmap::provided_degrees& found) {
  std::vector<place> out;
  for (std::size_t i = 0; i < found.latitudes.size(); ++i) out.push_back({found.latitudes[i], found.longitudes[i]});
  return out;
}

/// Returns the points that are computed for a section.
tgmap::provided_degrees computed_points(const tgmap::bridge::grib::grid_section& of) {
  auto out = tgmap::bridge::grib::compute_degrees(of);
  BOOST_TEST_REQUIRE(out.has_value());
  return out->are_points ? *out : tgmap::bridge::grib::product_points(out->latitudes, out->longitudes);
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_scanning_modes_have_their_places) {
  const auto samples = samples_or_skip("scanning modes of ecCodes");
  if (samples.empty()) return;
  std::size_t compared = 0;
  for (const std::string name : {"regular_ll_pl_grib2", "regular_gg_pl_grib2", "rotated_ll_pl_grib2"})
    for (unsigned flags = 0; flags < 256; flags += 16) {
      const bytes section = scanned_section(samples / (name + ".tmpl"), flags);
      const std::uint64_t points = get(section, 6, 4), columns = get(section, 30, 4), rows = get(section, 34, 4);
      bool is_damaged = false;
      const auto read = tgmap::bridge::grib::read_grid_section(span_of(section), 2, points, is_damaged);
      BOOST_TEST_REQUIRE(read.has_value(), name << " " << flags);
      // ecCodes takes no notice of alternating rows, nor of consecutive j of Gaussian grids.
      const unsigned ignored = name == "regular_gg_pl_grib2" ? 0x30 : 0x10;
      const bytes known_section = scanned_section(samples / (name + ".tmpl"), flags & ~ignored);
      const auto known = tgmap::bridge::grib::read_grid_section(span_of(known_section), 2, points, is_damaged);
      const auto found = tgmap::bridge::grib::find_projected_degrees(*known);
      BOOST_TEST_REQUIRE(found.has_value(), name << " " << flags);
      const std::vector<place> places = list_of(*found);
      std::vector<place> expected;
      for (std::uint64_t at = 0; at < points; ++at) {
        const bool by_columns = (flags & 0x20) != 0, alternate = (flags & 0x10) != 0;
        const std::uint64_t length = by_columns ? rows : columns, line = at / length, in_line = at % length;
        const std::uint64_t place_in_line = alternate && line % 2 == 1 ? length - 1 - in_line : in_line;
        const std::uint64_t row = by_columns ? place_in_line : line, column = by_columns ? line : place_in_line;
        const bool known_by_columns = (flags & ~ignored & 0x20) != 0;
        expected.push_back(places[known_by_columns ? column * rows + row : row * columns + column]);
      }
      const double error = difference(computed_points(*read), expected);
      BOOST_TEST(error < 2e-5, name << " " << flags << " differs by " << error);
      ++compared;
    }
  BOOST_TEST(compared == 48);
}

BOOST_AUTO_TEST_CASE(damaged_sections_of_projections_end_no_process) {
  const auto samples = samples_or_skip("damaged sections for ecCodes");
  if (samples.empty()) return;
  std::size_t known = 0;
  for (const char* name : {"polar_stereographic_pl_grib1.tmpl", "polar_stereographic_pl_grib2.tmpl"}) {
    const bytes whole = content_of(samples / name);
    const bytes section = grid_section_of(whole);
    const std::size_t begin = whole.find(section);
    for (std::size_t at = 0; at < section.size(); ++at)
      for (const unsigned flip : {1U, 0x40U, 0xFFU}) {
        bytes changed = whole;
        changed[begin + at] = static_cast<char>(changed[begin + at] ^ flip);
        const auto found = find_degrees(with_sections(changed), {496}).degrees;
        if (found) BOOST_TEST(found->latitudes.size() == 496U);
        known += found ? 1 : 0;
      }
  }
  BOOST_TEST(known > 0);
}

BOOST_AUTO_TEST_SUITE_END()
