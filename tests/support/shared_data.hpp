// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace tgmap_test {

/// `tests/data`, which is always there.
std::filesystem::path test_data();

/// The shared data (`TGMAP_SHARED`, else beside the checkout), or nothing.
std::optional<std::filesystem::path> shared_data();

/// As above, saying loudly that a check is skipped when there is nothing: "SKIPPED: what (shared data absent)".
std::optional<std::filesystem::path> shared_data_or_skip(std::string_view what);

/// Says "SKIPPED: what (why)" where `./dev test` counts it.
void say_skipped(std::string_view what, std::string_view why);

}  // namespace tgmap_test
