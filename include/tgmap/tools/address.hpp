// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/error.hpp>
#include <tgmap/export.hpp>
#include <tgmap/message.hpp>

namespace tgmap {
inline namespace v0 {

/// A `number_range` is a number, or a range `a..b` of numbers with both ends. Negative numbers count from the end; -1
/// is the last. A missing end of a range means the first or the last.
struct number_range {
  bool single = true;
  std::optional<std::int64_t> begin{}, end{};  ///< a single number has only `begin`

  bool operator==(const number_range&) const = default;
};

/// A half-open range of numbers counted from 0.
struct number_bounds {
  std::uint64_t begin = 0, end = 0;
  bool operator==(const number_bounds&) const = default;
};

/// Resolves negative numbers and missing ends. A range is clamped to `count`; a single number may lie beyond it, and
/// does so if it is before the first.
TGMAP_API number_bounds to_bounds(const number_range&, std::uint64_t count) noexcept;

/// An `archive_address` names messages or objects of a file, as the command takes them: `FILE`, `FILE:MESSAGES`,
/// `FILE:MESSAGES:OBJECTS`, `FILE@OFFSET` or `FILE@OFFSET:OBJECTS`. Numbers may be ranges; an offset is decimal, or
/// hexadecimal with "0x".
struct TGMAP_API archive_address {
  std::string file{};                      ///< path, byte for byte as in the text
  std::optional<number_range> messages{};  ///< empty: all messages, or the one at `offset`
  std::optional<std::uint64_t> offset{};   ///< offset of a message, in place of its number
  std::optional<number_range> objects{};   ///< objects of each message; only with messages or an offset

  bool whole_file() const noexcept { return !messages && !offset; }
  bool one_message() const noexcept { return offset || (messages && messages->single); }
  bool one_object() const noexcept { return one_message() && objects && objects->single; }

  /// Says whether a path exists.
  using file_test = std::function<bool(const std::string& path)>;

  /// Returns true if the path exists, readable or not.
  static bool exists(const std::string& path);

  /// Parses an address. File names may contain ':' and '@': the file is the whole text if that exists, else the longest
  /// existing part before a ':' or '@'. If nothing exists, as much as possible is read as numbers.
  /// Errors: bad_address (the text behind a file that exists is not numbers); those of the test. Throws std::bad_alloc.
  /// Complexity: one test for each ':' and '@'.
  static archive_address parse(std::string_view text, const file_test& = exists);
  static archive_address parse(std::string_view text, const file_test&, failure&);
  static archive_address parse(std::string_view text, failure& why) { return parse(text, exists, why); }

  bool operator==(const archive_address&) const = default;
};

/// Returns the address of a message or an object: "f.tgm:3:0", or "f.tgm@4096:0" if the number of the message is not
/// known. Errors: throws std::bad_alloc.
TGMAP_API std::string address_text(std::string_view file, const message&, optional_index object = {});

}  // namespace v0
}  // namespace tgmap
