// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/decode/part_reader.hpp>
#include <tgmap/enum_names.hpp>
#include <tgmap/error.hpp>
#include <tgmap/export.hpp>
#include <tgmap/message.hpp>
#include <tgmap/metadata.hpp>
#include <tgmap/object.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {

/// Kind of the coordinates along a dimension.
enum class coordinate_kind : std::uint8_t {
  index,      ///< there are none; elements are counted
  number,     ///< x, y, time, level, pressure, height, depth, frequency or step
  latitude,   ///< degrees north
  longitude,  ///< degrees east
};

/// Where coordinates come from.
enum class coordinate_source : std::uint8_t {
  none,          ///< there are none
  object,        ///< the elements of another object of the message
  list,          ///< a list of numbers in the metadata
  regular_grid,  ///< first and last degrees and steps in the metadata
  provider,      ///< a `grid_provider` that the program passed
};

TGMAP_API std::string_view to_string_view(coordinate_kind) noexcept;    ///< "index", "number", …
TGMAP_API std::string_view to_string_view(coordinate_source) noexcept;  ///< "none", "object", …
template <>
TGMAP_API std::optional<coordinate_kind> from_string<coordinate_kind>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<coordinate_source> from_string<coordinate_source>(std::string_view) noexcept;

/// A `coordinate_origin` names what coordinates were made of.
struct coordinate_origin {
  coordinate_source source = coordinate_source::none;
  optional_index object{};  ///< of `object`: its number in the message
  std::string key{};        ///< of `list` and `regular_grid`: the key, "grid.latitudes"; of `provider`: its name
};

/// A `grid_axis` has the coordinates along one dimension.
struct grid_axis {
  coordinate_kind kind = coordinate_kind::index;
  std::string name{};  ///< "latitude", "longitude", "level", …; empty for an index

  /// One for each index of the part, strictly rising or falling; empty for an index. Longitudes go on beyond 180 or 360
  /// degrees where they would wrap around.
  std::vector<double> values{};
  coordinate_origin from{};
};

/// Why a grid in the metadata gives no degrees.
enum class grid_obstacle_kind : std::uint8_t {
  none,                ///< there are degrees, or the metadata describes no grid
  other_grid,          ///< `key` has a `value` that is not regular
  other_order,         ///< the flag `key` is set, so elements are in another order
  grid_missing,        ///< there is `mars.area` without `mars.grid`
  area_missing,        ///< there is no `mars.area`
  bad_area,            ///< `mars.area` is not four valid degrees
  too_few_dimensions,  ///< the object does not have two dimensions
  disagreement,        ///< area, steps and shape do not agree
};

TGMAP_API std::string_view to_string_view(grid_obstacle_kind) noexcept;  ///< "other_grid"
template <>
TGMAP_API std::optional<grid_obstacle_kind> from_string<grid_obstacle_kind>(std::string_view) noexcept;

/// A `grid_obstacle` says why the last two dimensions have no degrees although the metadata describes a grid.
struct grid_obstacle {
  grid_obstacle_kind kind = grid_obstacle_kind::none;
  std::string key{};    ///< "mars.grid"
  std::string value{};  ///< its value, "O1280" or "90/0/-90/360", cut after 40 bytes; may be ill-formed. Empty for maps
  std::optional<std::array<double, 2>> steps{};  ///< of `disagreement`: those in `mars.grid`
  explicit operator bool() const noexcept { return kind != grid_obstacle_kind::none; }
};

/// The result of `grid::axes`.
struct grid_axes {
  std::vector<grid_axis> axes{};  ///< one for each dimension
  grid_obstacle obstacle{};       ///< set if rows or columns are counted although the metadata describes a grid
};

/// The result of `grid::points`: one latitude and one longitude for each element of the part, in C order.
struct grid_points {
  std::vector<double> latitudes{}, longitudes{};
  coordinate_origin latitudes_from{}, longitudes_from{};
};

/// Degrees that a `grid_provider` has found.
struct provided_degrees {
  std::vector<double> latitudes{}, longitudes{};

  /// True: one of each for every element of the object, in C order. False: one latitude for each row and one longitude
  /// for each column, which are the last two dimensions.
  bool are_points = false;
};

/// A `grid_provider` knows grids that this library does not, such as a library for GRIB. It is asked last.
/// Thread safety: find() may be called from any number of threads.
class TGMAP_API grid_provider {
 public:
  virtual ~grid_provider();

  /// Returns the name for `coordinate_origin::key`.
  virtual std::string_view name() const noexcept = 0;

  /// Returns the degrees of an object of this shape with these keys, or nothing if it does not know the grid. A failure
  /// ends the call that asked. May throw.
  virtual std::optional<provided_degrees> find(const metadata& keys, std::span<const std::uint64_t> shape,
                                               failure&) const = 0;
};

/// A `grid` finds the coordinates of the elements of an object. It says where they come from.
///
/// Coordinates along a dimension are, first, those of another object of the message: one-dimensional, of the length of
/// the dimension, with a known `name` in upper or lower case (lat, latitude, lon, longitude, x, y, time, level,
/// pressure, height, depth, frequency, step, and their plurals). If several dimensions fit, longitudes and x go to the
/// last one, latitudes and y to the one before. Then the last two dimensions get the degrees of lists in the metadata
/// (latitudes, latitude, lats, lat and longitudes, longitude, lons, lon, at the top or in `grid`, `geometry` or
/// `geography`), or of a regular grid: `mars.grid` or a `gridType` must say that it is regular, `mars.area` has the
/// corners, and they must agree with the shape. Providers are asked last. Other dimensions are counted.
///
/// Only the first 10,000 objects are examined, and no more than 16 Mi coordinates are read. An object that cannot be
/// read has no coordinates, which is no error.
/// Lifetime: the archive, or a pin of it, and the providers must outlive it.
/// Thread safety: any number of threads may call all members.
class TGMAP_API grid {
 public:
  /// Stores the handles. Reads nothing. Errors: throws std::bad_alloc.
  grid(const message& in, const object& of, std::span<const grid_provider* const> providers = {})
      : message_(in), object_(of), providers_(providers.begin(), providers.end()) {}

  /// Returns an axis for each dimension of the object, with the coordinates of a part of it. A part without dimensions
  /// means the whole object.
  /// Errors: those of object::descriptor and of providers; invalid_option (another number of dimensions, a stride of 0,
  /// or degrees of a provider that do not fit), out_of_range. Both forms throw std::bad_alloc.
  /// Complexity: O(objects) descriptors, and decodes the objects that have coordinates.
  grid_axes axes(const slab& part = {}) const;
  grid_axes axes(const slab& part, failure&) const;

  /// Returns the degrees of each element of a part: of two objects of the shape of this one that are named like
  /// latitudes and longitudes, of lists in the metadata for an object of one dimension, or of a provider. Returns
  /// nothing if there are none, or if the part has more than 16 Mi elements.
  /// Errors, complexity: as axes().
  std::optional<grid_points> points(const slab& part = {}) const;
  std::optional<grid_points> points(const slab& part, failure&) const;

 private:
  message message_{};
  object object_{};
  std::vector<const grid_provider*> providers_{};
};

}  // namespace v0
}  // namespace tgmap
