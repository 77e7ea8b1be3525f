// SPDX-License-Identifier: Apache-2.0
// Bare loops that find every message of an archive. Each opens the file, returns the number of messages, and closes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace tgmap_bench {

/// From preamble to preamble. `advice`: an madvise for the whole mapping.
std::uint64_t scan_one_chain(const std::filesystem::path&, int advice);

/// Preambles forwards and postambles backwards in one loop, until they meet: two loads are under way at once.
std::uint64_t scan_both_ends(const std::filesystem::path&);

/// Chains that begin at the first magic behind evenly spread places, walked in turns. A chain counts only when the one
/// before it ends exactly where it began; a chain lost so shows in the number of messages. `threads` share the chains.
std::uint64_t scan_many_chains(const std::filesystem::path&, unsigned chains, unsigned threads);

/// One read of a preamble for each message. `advice`: a posix_fadvise for the whole file.
std::uint64_t scan_windows(const std::filesystem::path&, int advice);

/// Reads `block` bytes from a preamble on and walks as far as they show: plain streaming where messages are smaller.
std::uint64_t scan_blocks(const std::filesystem::path&, std::size_t block, int advice);

/// As scan_windows, while the kernel is asked for where the next 32 preambles lie if lengths repeat with the period
/// they have had so far.
std::uint64_t scan_predicted(const std::filesystem::path&);

std::uint64_t walk_frames_mapped(const std::filesystem::path&, int advice);

/// The same from windows: copies of `window` bytes, one of each preamble, frame and postamble.
std::uint64_t walk_frames_in_windows(const std::filesystem::path&, std::size_t window);

/// Reads `block` bytes from a preamble or frame on and walks as far as they show.
std::uint64_t walk_frames_in_blocks(const std::filesystem::path&, std::size_t block, int advice);

}  // namespace tgmap_bench
