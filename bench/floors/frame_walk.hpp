// SPDX-License-Identifier: Apache-2.0
// Bare loops that find every message of an archive of streamed ones, which state no length: from frame to frame, past
// whatever payloads hold. Each opens the file, returns how many messages it found, and closes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace tgmap_bench {

std::uint64_t walk_frames_mapped(const std::filesystem::path&, int advice);

/// The same from windows: copies of `window` bytes, one of each preamble, frame and postamble.
std::uint64_t walk_frames_in_windows(const std::filesystem::path&, std::size_t window);

/// Reads `block` bytes from a preamble or frame on and walks as far as they show.
std::uint64_t walk_frames_in_blocks(const std::filesystem::path&, std::size_t block, int advice);

}  // namespace tgmap_bench
