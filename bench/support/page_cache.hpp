// SPDX-License-Identifier: Apache-2.0
// What of a file lies in the page cache, and how to change it, for this file alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace tgmap_bench {

constexpr std::uint64_t page_size = 4096;

/// Writes the file out and drops it from the cache. Nothing may map its pages. Throws when more than 1 % stays.
void make_cold(const std::filesystem::path&);

/// Reads the file from end to end, so that it lies in the cache in the large pieces that reading ahead leaves there, in
/// every run. Nothing may map it. Does nothing where that was done before.
void make_warm(const std::filesystem::path&);

/// For each page of the file whether it lies in the cache.
std::vector<bool> resident(const std::filesystem::path&);
std::uint64_t resident_pages(const std::filesystem::path&);

}  // namespace tgmap_bench
