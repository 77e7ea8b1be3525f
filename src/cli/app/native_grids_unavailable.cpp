// SPDX-License-Identifier: Apache-2.0
#include "cli/app/session.hpp"

namespace tgmap::cli {

std::span<const grid_provider* const> session::grids() { return {}; }

}  // namespace tgmap::cli
