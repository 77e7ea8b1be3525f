// SPDX-License-Identifier: Apache-2.0
#include <tgmap/bridge/grib_grids.hpp>

#include "cli/app/session.hpp"

namespace tgmap::cli {

std::span<const grid_provider* const> session::grids() {
  if (!own_grids) own_grids = std::make_unique<bridge::native_grids>();
  grid_list[0] = own_grids.get();
  return grid_list;
}

}  // namespace tgmap::cli
