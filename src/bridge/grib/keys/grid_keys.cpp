// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/keys/grid_keys.hpp"

#include <cmath>
#include <limits>

#include "bridge/grib/sections/grid_shape.hpp"

namespace tgmap::bridge::grib {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Returns north, west, south and east of a grid of latitudes and longitudes, as the reference implementation states
/// them: only in the default scanning order, and only if longitudes grow from west to east. A grid around the globe may
/// begin east of where it ends; its west is then below zero.
std::optional<cbor_value> area_of(const handle_reader& from) {
  for (const char* flag : {"iScansNegatively", "jScansPositively", "jPointsAreConsecutive", "alternativeRowScanning"})
    if (from.read_integer(flag, 0) != 0) return std::nullopt;
  const double north = from.read_real("latitudeOfFirstGridPointInDegrees", nan);
  const double south = from.read_real("latitudeOfLastGridPointInDegrees", nan);
  const double east = from.read_real("longitudeOfLastGridPointInDegrees", nan);
  const double step = from.read_real("iDirectionIncrementInDegrees", nan);
  const auto columns = static_cast<double>(from.read_integer("Ni", 0));
  double west = from.read_real("longitudeOfFirstGridPointInDegrees", nan);
  if (!(columns >= 2 && step > 0 && north > south)) return std::nullopt;  // NaN, too
  if (west > east) {
    const bool is_global = std::abs(columns * step - 360) < step / 2;
    const bool ends_before_beginning = std::abs(east - (west - 360) - (columns - 1) * step) < step / 2;
    if (!is_global || !ends_before_beginning) return std::nullopt;
    west -= 360;
  }
  if (!(west < east)) return std::nullopt;
  return cbor_value::array({north, west, south, east});
}

/// Returns true for a Gaussian grid around the globe that is not rotated. ecCodes computes the latitudes of any number
/// of rows for this, in quadratic time; real grids have at most 16000.
bool is_global_gaussian(const handle_reader& from, std::string_view type) {
  constexpr long max_n = 8000;
  if (type != "reduced_gg" && type != "regular_gg") return false;
  const long n = from.read_integer("N", 0);
  return n > 0 && n <= max_n && from.read_integer("Nj", 0) == 2 * n && from.read_integer("global", 0) == 1;
}

}  // namespace

void add_grid(const handle_reader& from, named_keys& mars) {
  const std::string type = from.read_text("gridType");
  if (type.empty()) return;
  const bool is_healpix = type == "healpix";
  const std::string name = is_healpix || is_global_gaussian(from, type) ? from.read_text("gridName") : std::string();
  std::erase_if(mars, [](const auto& each) { return each.first == "grid" || each.first == "area"; });
  mars.emplace_back("grid", cbor_value(name.empty() || name == "unknown" ? type : name));
  if (is_healpix && from.read_text("orderingConvention") == "nested")
    mars.emplace_back("ordering", cbor_value("nested"));
  if (type == "regular_ll")
    if (const auto area = area_of(from)) mars.emplace_back("area", *area);
}

void add_scanning_mode(const field& of, cbor_value& to, failure& why) {
  const grid_shape shape = read_grid_shape(of, why);
  if (why || !shape.has_scanning_mode) return;
  const auto set = [&](bool is_set, const char* path) {
    if (is_set) to.set(path, cbor_value(1));
  };
  set(shape.scanning.i_decreases(), "grib.geography.iScansNegatively");
  set(shape.scanning.j_increases(), "grib.geography.jScansPositively");
  set(shape.scanning.j_is_consecutive(), "grib.geography.jPointsAreConsecutive");
  set(shape.scanning.rows_alternate(), "grib.geography.alternativeRowScanning");
}

}  // namespace tgmap::bridge::grib
