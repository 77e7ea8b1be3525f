// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Names of the values of enumerations of the bridge, in both directions; see tgmap/enum_names.hpp.

#include <tgmap/bridge/errc.hpp>
#include <tgmap/bridge/grib_grids.hpp>
#include <tgmap/enum_names.hpp>

namespace tgmap {
inline namespace v0 {

template <>
TGMAP_API std::optional<bridge::errc> from_string<bridge::errc>(std::string_view) noexcept;
template <>
TGMAP_API std::optional<bridge::native_grid_obstacle> from_string<bridge::native_grid_obstacle>(
    std::string_view) noexcept;

}  // namespace v0
}  // namespace tgmap
