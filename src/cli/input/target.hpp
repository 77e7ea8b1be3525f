// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tgmap::cli {

/// A number, or a range `a..b` of numbers with both ends. Negative numbers count from the end; -1 is the last. A
/// missing end of a range means the first or the last.
struct number_range {
  bool single = true;
  std::optional<std::int64_t> begin{}, end{};  ///< a single number has only `begin`

  bool operator==(const number_range&) const = default;
};

/// A half-open range of numbers counted from 0.
struct bounds {
  std::uint64_t begin, end;
};

/// Resolves negative numbers and missing ends. A range is clamped to `count`; a single number may lie beyond it.
bounds to_bounds(const number_range&, std::uint64_t count);

/// The address that a verb works on: FILE, FILE:MESSAGES, FILE:MESSAGES:OBJECTS, FILE@OFFSET or FILE@OFFSET:OBJECTS.
struct target {
  std::string file;                      ///< "-": standard input
  std::optional<number_range> messages;  ///< empty: all messages, or the one at `offset`
  std::optional<std::uint64_t> offset;   ///< offset of a message, in place of its number
  std::optional<number_range> objects;   ///< objects of each message; only with messages or an offset

  bool whole_file() const noexcept { return !messages && !offset; }
  bool one_message() const noexcept { return offset || (messages && messages->single); }
  bool one_object() const noexcept { return one_message() && objects && objects->single; }
};

using file_test = std::function<bool(const std::string&)>;

/// Returns true if the path exists, readable or not, or is "-".
bool exists_on_disk(const std::string& path);

/// The path that stands for "-" in arguments such as "-:0", which CLI11 would take for options (see command.cpp).
inline constexpr std::string_view standard_input = "/dev/stdin";

/// Parses a target. File names may contain ':' and '@': the file is the whole text if that exists, else the longest
/// existing part before a ':' or '@'. If nothing exists, as much as possible is read as numbers.
/// Errors: usage_error if a file exists but is not followed by numbers.
target parse_target(std::string_view text, const file_test& exists = exists_on_disk);

}  // namespace tgmap::cli
