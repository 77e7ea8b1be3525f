// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace tgmap::cli {

/// Character cells.
struct cells {
  std::size_t columns = 80, rows = 24;
};

/// The size of the terminal: as it says itself, else as COLUMNS and LINES say, else 80 x 24.
cells window_size();

}  // namespace tgmap::cli
