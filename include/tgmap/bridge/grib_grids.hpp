// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/error.hpp>
#include <tgmap/export.hpp>
#include <tgmap/metadata.hpp>
#include <tgmap/tools/grid.hpp>

namespace tgmap {
inline namespace v0 {
namespace bridge {

/// Options of `native_grids`.
struct native_grids_options {
  /// Maximum number of bytes of degrees that are kept for later calls. Default: 256 MiB, which is a grid of 9 km twice.
  std::uint64_t cache_bytes = std::uint64_t{256} << 20U;
  /// Grids with more points have no degrees. Default: 32 Mi, which takes 512 MiB.
  std::uint64_t max_points = std::uint64_t{1} << 25U;
  /// Asks ecCodes for the grids that this library cannot compute. Default: true.
  bool use_eccodes = true;
};

/// Why an object has no degrees.
enum class native_grid_obstacle : std::uint8_t {
  none,             ///< it has degrees
  no_grid,          ///< its keys have neither `grib_sections` nor a `mars.grid` that names a grid
  other_size,       ///< the grid has another number of points than the object
  too_many_points,  ///< more than `native_grids_options::max_points`
  damaged,          ///< the grid section is damaged or contradicts itself
  unsupported,      ///< neither this library nor ecCodes knows the grid
  needs_eccodes,    ///< only ecCodes knows the grid, and it is not installed or not wanted
};

/// Returns the name of the enumerator, such as "needs_eccodes".
TGMAP_API std::string_view to_string_view(native_grid_obstacle) noexcept;

/// A `native_grids` finds the degrees of objects that came from GRIB: of the grid in the byte string `grib_sections` of
/// their keys, or of the grid that `mars.grid` names.
///
/// Regular and rotated grids of latitudes and longitudes, regular and reduced Gaussian grids, and HEALPix are computed;
/// ecCodes knows polar stereographic, Lambert, Mercator and other projections, and the rows of "N320". Degrees are
/// those of the stored order of elements, whatever the scanning mode. Rotated grids have degrees of the globe. Rows and
/// columns have one latitude and one longitude each where that is right; other grids have points.
/// The degrees of recent grids are kept. The library of ecCodes is loaded when it is needed first.
/// Thread safety: any number of threads may call all members.
class TGMAP_API native_grids final : public grid_provider {
 public:
  /// Computes nothing. Errors: throws std::bad_alloc.
  explicit native_grids(const native_grids_options& = {});
  ~native_grids() override;
  native_grids(const native_grids&) = delete;
  native_grids& operator=(const native_grids&) = delete;

  /// Returns "native_grids".
  std::string_view name() const noexcept override;

  /// Returns the degrees of an object of this shape with these keys, or nothing if there are none, which is no error.
  /// Errors: out_of_memory.
  /// Complexity: linear in the points; the latitudes of a Gaussian grid take quadratic time in its number N.
  std::optional<provided_degrees> find(const metadata& keys, std::span<const std::uint64_t> shape,
                                       failure&) const override;

  /// Does the same and says why there are none.
  std::optional<provided_degrees> find(const metadata& keys, std::span<const std::uint64_t> shape,
                                       native_grid_obstacle&, failure&) const;

  /// Returns bytes that are equal for two objects of which `find` gives the same degrees for the same reason: the grid
  /// and the shape. Returns nothing if the keys name no grid. Computes no degrees.
  /// Errors: throws std::bad_alloc.
  std::optional<std::string> identity(const metadata& keys, std::span<const std::uint64_t> shape) const;

 private:
  class state;
  std::unique_ptr<state> state_;
};

}  // namespace bridge

}  // namespace v0
}  // namespace tgmap
