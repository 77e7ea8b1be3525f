// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "cli/app/report.hpp"

namespace tgmap::cli {

/// Returns COLUMNS or LINES; nothing if it is not set, empty or wrong.
std::optional<std::size_t> window_extent(const char* variable);

/// Returns TGMAP_PROGRESS_DELAY; 500 ms if it is not set or empty.
std::chrono::milliseconds progress_delay();

/// Checks the variables above once, before a verb runs. Reports wrong sizes of the window, which do not count.
/// Errors: usage_error for a wrong TGMAP_PROGRESS_DELAY.
void check_environment(reporter&);

}  // namespace tgmap::cli
