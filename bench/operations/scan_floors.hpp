// SPDX-License-Identifier: Apache-2.0
// The floors of a scan.
#pragma once

#include <filesystem>
#include <tgmap/options.hpp>
#include <vector>

#include "support/archives.hpp"
#include "support/contest.hpp"

namespace tgmap_bench {

/// Returns every loop that finds the messages of a cached archive. With `read`, nothing is mapped.
std::vector<floor_loop> warm_scan_floors(const std::filesystem::path&, shape, std::uint64_t messages, tgmap::io_mode);

/// The same for an archive that is not cached, without loops that would take minutes.
std::vector<floor_loop> cold_scan_floors(const std::filesystem::path&, shape, std::uint64_t messages, tgmap::io_mode);

}  // namespace tgmap_bench
