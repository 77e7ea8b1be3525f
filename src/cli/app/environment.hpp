// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "cli/app/report.hpp"

namespace tgmap::cli {

/// Returns the value of COLUMNS or LINES; nothing if it is not set, empty or not a size.
std::optional<std::size_t> window_extent(const char* variable);

/// Returns the value of TGMAP_PROGRESS_DELAY; 500 ms if it is not set or empty.
std::chrono::milliseconds progress_delay();

/// Checks these variables once, before a verb runs. Reports a wrong COLUMNS or LINES, which is then ignored.
/// Errors: usage_error for a wrong TGMAP_PROGRESS_DELAY.
void check_environment(reporter&);

}  // namespace tgmap::cli
