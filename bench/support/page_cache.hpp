// SPDX-License-Identifier: Apache-2.0
// Controls which pages of a file are in the page cache, without touching other files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace tgmap_bench {

constexpr std::uint64_t page_size = 4096;

/// Writes the file out and drops it from the cache. The file must not be mapped. Throws if more than 1 %
/// remains cached.
void make_cold(const std::filesystem::path&);

/// Reads the file from end to end, so that every run finds it cached in the large folios that readahead makes. The file
/// must not be mapped. Does nothing if this was done before.
void make_warm(const std::filesystem::path&);

/// Returns for each page of the file whether it is cached.
std::vector<bool> resident(const std::filesystem::path&);
std::uint64_t resident_pages(const std::filesystem::path&);

}  // namespace tgmap_bench
