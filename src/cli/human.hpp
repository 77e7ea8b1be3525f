// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tgmap::cli {

/// "812 bytes", "3.8 KiB (3936 bytes)".
std::string human_size(std::uint64_t bytes);

/// "812 B", "3.8 KiB".
std::string short_size(std::uint64_t bytes);

/// "1 message", "2 messages".
std::string counted(std::uint64_t number, std::string_view singular);

/// What follows the words for something that was done, where it was not: ", not written" after --dry-run.
constexpr std::string_view not_written(bool dry_run) noexcept { return dry_run ? ", not written" : ""; }

/// "0.31 ms", "12 ms", "3.4 s".
std::string human_time(double milliseconds);

}  // namespace tgmap::cli
