// SPDX-License-Identifier: Apache-2.0
// Which bare loops a scan is held against.
#pragma once

#include <filesystem>
#include <tgmap/options.hpp>
#include <vector>

#include "support/archives.hpp"
#include "support/contest.hpp"

namespace tgmap_bench {

/// Every loop that may find the messages of that archive when it lies in the page cache. By `read` nothing is mapped.
std::vector<floor_loop> warm_scan_floors(const std::filesystem::path&, shape, std::uint64_t messages, tgmap::io_mode);

/// The same when nothing of it is cached; loops that would take minutes for that archive are left out.
std::vector<floor_loop> cold_scan_floors(const std::filesystem::path&, shape, std::uint64_t messages, tgmap::io_mode);

}  // namespace tgmap_bench
