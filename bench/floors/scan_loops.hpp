// SPDX-License-Identifier: Apache-2.0
// Bare loops that find every message of an archive. Each opens the file, returns the number of messages, and closes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace tgmap_bench {

/// Walks from preamble to preamble. `advice` is an madvise for the whole mapping.
std::uint64_t scan_one_chain(const std::filesystem::path&, int advice);

/// Walks preambles forwards and postambles backwards in one loop until they meet, so that two loads overlap.
std::uint64_t scan_both_ends(const std::filesystem::path&);

/// Walks several chains in turns; each begins at the first magic after one of evenly spaced offsets. A chain counts
/// only if the previous chain ends exactly where it begins. `threads` threads share the chains.
std::uint64_t scan_many_chains(const std::filesystem::path&, unsigned chains, unsigned threads);

/// Reads the preamble of each message. `advice` is a posix_fadvise for the whole file.
std::uint64_t scan_windows(const std::filesystem::path&, int advice);

/// Reads `block` bytes from a preamble on and walks the preambles among them.
std::uint64_t scan_blocks(const std::filesystem::path&, std::size_t block, int advice);

/// As scan_windows, but prefetches the next 32 preambles, predicted from the period of the lengths so far.
std::uint64_t scan_predicted(const std::filesystem::path&);

std::uint64_t walk_frames_mapped(const std::filesystem::path&, int advice);

/// The same, but copies `window` bytes at each preamble, frame and postamble first.
std::uint64_t walk_frames_in_windows(const std::filesystem::path&, std::size_t window);

/// Reads `block` bytes from a preamble or frame on and walks the frames among them.
std::uint64_t walk_frames_in_blocks(const std::filesystem::path&, std::size_t block, int advice);

}  // namespace tgmap_bench
