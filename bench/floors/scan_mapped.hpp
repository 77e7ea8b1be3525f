// SPDX-License-Identifier: Apache-2.0
// Bare loops over a mapping that find every message by its stated length. Each opens the file, returns how many it
// found, and closes it.
#pragma once

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

}  // namespace tgmap_bench
