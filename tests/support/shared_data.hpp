// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace tgmap_test {

/// Returns `tests/data`, which always exists.
std::filesystem::path test_data();

/// Returns the folder of shared data (`TGMAP_SHARED`, else next to the checkout), or nothing.
std::optional<std::filesystem::path> shared_data();

/// As above, and prints "SKIPPED: what (shared data absent)" if there is none.
std::optional<std::filesystem::path> shared_data_or_skip(std::string_view what);

/// Prints "SKIPPED: what (why)", which `./dev test` counts.
void say_skipped(std::string_view what, std::string_view why);

}  // namespace tgmap_test
