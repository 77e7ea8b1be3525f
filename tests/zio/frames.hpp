// SPDX-License-Identifier: Apache-2.0
// Frames of the original implementation, and what it wrote down about them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace tgmap_test {

std::vector<std::byte> bytes_of(const std::string& text);
std::vector<std::byte> bytes_of_file(const std::filesystem::path&);

/// The frames of one folder of the shared data, by name; empty, and said loudly, where that is absent.
std::vector<std::filesystem::path> shared_frames(const char* folder);

}  // namespace tgmap_test
