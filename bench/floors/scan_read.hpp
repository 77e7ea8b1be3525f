// SPDX-License-Identifier: Apache-2.0
// Bare loops of positioned reads that find every message by its stated length. Each opens the file, returns how many it
// found, and closes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace tgmap_bench {

/// One read of a preamble for each message. `advice`: a posix_fadvise for the whole file.
std::uint64_t scan_windows(const std::filesystem::path&, int advice);

/// Reads `block` bytes from a preamble on and walks as far as they show: plain streaming where messages are smaller.
std::uint64_t scan_blocks(const std::filesystem::path&, std::size_t block, int advice);

/// As scan_windows, while the kernel is asked for where the next 32 preambles lie if lengths repeat with the period
/// they have had so far.
std::uint64_t scan_predicted(const std::filesystem::path&);

}  // namespace tgmap_bench
