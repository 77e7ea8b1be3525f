// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tgmap::cli {

/// Returns "812 bytes", "3.8 KiB (3936 bytes)".
std::string human_size(std::uint64_t bytes);

/// Returns "812 B", "3.8 KiB".
std::string short_size(std::uint64_t bytes);

/// Returns "1 message", "2 messages".
std::string count_text(std::uint64_t number, std::string_view singular);

/// Returns ", not written" for a dry run, to append to a summary.
constexpr std::string_view not_written(bool dry_run) noexcept { return dry_run ? ", not written" : ""; }

/// Returns "0.31 ms", "12 ms", "3.4 s".
std::string human_time(double milliseconds);

}  // namespace tgmap::cli
