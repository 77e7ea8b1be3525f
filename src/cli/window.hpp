// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace tgmap::cli {

/// Columns of the terminal that standard output is; 80 where it is none.
std::size_t window_width() noexcept;

}  // namespace tgmap::cli
