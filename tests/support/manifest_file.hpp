// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace tgmap_test {

/// The cases of `directory/MANIFEST.json`.
nlohmann::json manifest_of(const std::filesystem::path& directory);

}  // namespace tgmap_test
