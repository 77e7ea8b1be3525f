// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tgmap::cli {

/// One number, or a half-open range `a..b` of them. Negative ones count from the end, -1 is the last; an end that is
/// missing is that of everything.
struct numbers {
  bool single = true;
  std::optional<std::int64_t> begin{}, end{};  ///< of one number its begin alone

  bool operator==(const numbers&) const = default;
};

/// The numbers below `count` that are meant, half open. Of a range what there is of it; one number as it is counted,
/// although it may lie at or behind `count`.
struct bounds {
  std::uint64_t begin, end;
};
bounds within(const numbers&, std::uint64_t count);

/// What a verb works on: FILE, FILE:MESSAGES, FILE:MESSAGES:OBJECTS, FILE@OFFSET or FILE@OFFSET:OBJECTS.
struct target {
  std::string file;                     ///< "-": standard input
  std::optional<numbers> messages;      ///< nothing: all of them, or the one at `offset`
  std::optional<std::uint64_t> offset;  ///< of a message in the archive, in place of its number
  std::optional<numbers> objects;       ///< of each message; only with messages or an offset

  bool whole_file() const noexcept { return !messages && !offset; }
  bool one_message() const noexcept { return offset || (messages && messages->single); }
  bool one_object() const noexcept { return one_message() && objects && objects->single; }
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
