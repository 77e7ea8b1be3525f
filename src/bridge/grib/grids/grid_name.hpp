// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/bridge/grib_grids.hpp>
#include <tgmap/metadata.hpp>

namespace tgmap::bridge::grib {

/// A kind of grid that has a name and a number.
enum class named_grid_kind : std::uint8_t {
  octahedral,        ///< "O320": reduced Gaussian, each row has four points more than the row nearer to the pole
  reduced_gaussian,  ///< "N320": reduced Gaussian, whose rows are those of a table
  regular_gaussian,  ///< "F320": Gaussian, each row has 4 × 320 points
  healpix_ring,      ///< "H128", "H128_ring"
  healpix_nested,    ///< "H128_nested"
};

/// A `grid_name` is the name of a global grid.
struct grid_name {
  named_grid_kind kind{};
  std::uint64_t number = 0;  ///< not 0

  /// Returns the name as grid_name is parsed from it, such as "N320".
  std::string text() const;
};

/// Returns the grid of a name such as "O320"; nothing for other text. Letters may be small.
std::optional<grid_name> parse_grid_name(std::string_view) noexcept;

/// Returns the grid that the keys of an object name: `mars.grid`, for HEALPix with the order of the pixels in
/// `mars.ordering` or `mars.order`. Returns nothing if there is none, or if `mars.area` or `mars.rotation` say that it
/// is another one: a part of the globe, or rotated.
std::optional<grid_name> find_grid_name(const metadata&);

}  // namespace tgmap::bridge::grib
