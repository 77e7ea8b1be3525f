// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <iostream>
#include <support/shared_data.hpp>

namespace tgmap_test {

std::filesystem::path test_data() { return std::filesystem::path(TGMAP_SOURCE_DIR) / "tests" / "data"; }

std::optional<std::filesystem::path> shared_data() {
  const char* named = std::getenv("TGMAP_SHARED");
  const std::filesystem::path at = named && *named ? named : std::filesystem::path(TGMAP_SOURCE_DIR) / ".." / "shared";
  std::error_code ignored;
  if (!std::filesystem::is_directory(at / "data" / "tgm", ignored)) return std::nullopt;
  return at;
}

std::optional<std::filesystem::path> shared_data_or_skip(std::string_view what) {
  auto found = shared_data();
  if (!found) say_skipped(what, "shared data absent");
  return found;
}

void say_skipped(std::string_view what, std::string_view why) {
  std::cout << "\nSKIPPED: " << what << " (" << why << ")" << std::endl;
}

}  // namespace tgmap_test
