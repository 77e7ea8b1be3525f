// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tgmap::cli {

/// What a verb works on: FILE, FILE:MESSAGE, FILE:MESSAGE:OBJECT, FILE@OFFSET or FILE@OFFSET:OBJECT.
struct target {
  std::string file;                     ///< "-": standard input
  std::optional<std::int64_t> message;  ///< negative numbers count from the end: -1 is the last
  std::optional<std::uint64_t> offset;  ///< of a message in the archive, in place of its number
  std::optional<std::int64_t> object;   ///< negative as for messages; only with a message or an offset

  bool whole_file() const noexcept { return !message && !offset; }
};

using file_test = std::function<bool(const std::string&)>;

/// Whether the path names something, readable or not; "-" always does.
bool exists_on_disk(const std::string& path);

/// The long name of "-". A verb's argument that begins with "-:" would be taken for an option: see main.cpp.
inline constexpr std::string_view standard_input = "/dev/stdin";

/// Reads a target. File names may hold ':' and '@' themselves: the whole text is the file when that exists, else the
/// longest part before a ':' or '@' that does. When nothing exists, as much as possible is read as numbers.
/// Throws usage_error when a file exists but what follows it are no numbers.
target parse_target(std::string_view text, const file_test& exists = exists_on_disk);

}  // namespace tgmap::cli
