// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/constant/read.hpp>

#include "constant/json/json_path.hpp"
#include "constant/json/number.hpp"
#include "constant/json/token_source.hpp"
#include "constant/model/cell.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant::json {

/// The result of reading a value. Except after `stop`, the current token is the one after the value.
enum class read_status : std::uint8_t {
  ok,
  invalid,  ///< a problem was reported, and the value was skipped
  stop,     ///< a problem was reported, and reading must end
};

/// The kind of value that a token begins. `none` is not the beginning of a value.
enum class value_kind : std::uint8_t { none, string, number, array, object, boolean, null };

/// The name of a member. Its bytes are valid until the token after the first one of the value.
struct member_name {
  std::string_view raw{};
  std::uint64_t offset = 0;
};

/// Returns the number that the current token is as the value of a cell: a number, null, or a number or word in quotes.
/// Returns nothing for other tokens.
std::optional<double> parse_value(const token_source&);

/// A `parser` is what all readers of a document share: tokens, options, problems and the path of the current value.
class parser {
 public:
  parser(text_view text, const read_options& wanted, report& into, std::size_t window)
      : tokens(text, window), options(wanted), problems(into) {}

  token_source tokens;
  const read_options& options;
  report& problems;
  json_path path{};

  /// Returns the kind of the current value. A number may be malformed: only its first byte counts.
  value_kind kind() const noexcept;
  /// Returns the current token for messages.
  std::string describe_token() const;

  /// Reports a problem with the current path. Returns `stop` if no more problems are wanted, otherwise `invalid`.
  read_status report_problem(problem);
  /// Reports a problem after which nothing can be read. Always returns `stop`.
  read_status report_last(problem);
  void report_warning(problem);
  /// Reports a problem and skips the current value.
  read_status report_and_skip(problem);
  /// Reports that the text is not JSON here, or ends. Always returns `stop`.
  read_status report_bad_json(std::string expected);
  /// Reports that the current value is wrong, and skips it.
  read_status report_wrong_value(errc, std::string expected);
  /// Reports a second member with this name, and skips its value.
  read_status report_repeated_member(std::string_view name, std::uint64_t offset);
  /// Reports an empty label if options do not allow it.
  read_status check_label(std::string_view label, std::uint64_t offset);
  /// Finds the lines of all problems and warnings. Call it when nothing more is read.
  /// Complexity: O(text before the last one).
  void find_lines_of_problems() noexcept;

  /// Skips the current value.
  /// Complexity: O(its text), for any depth.
  read_status skip();

  /// Returns the text of a string, in `scratch` if it has escapes. Returns nothing after an error.
  std::optional<std::string_view> unescaped(std::string_view raw, std::uint64_t offset, std::string& scratch);

  /// Reads the value of a cell.
  read_status read_cell(dtype, std::byte* to);
  cell_rules rules() const noexcept { return {options.round_to_nearest, options.reject_fractions}; }

  /// Calls `read(member_name)` at the value of each member of the current object. It must consume the value.
  template <class Read>
  read_status members(Read&& read) {
    return sequence('}', "a comma or }", [&](std::uint64_t) {
      if (tokens.kind() != '"') return report_bad_json("a name in quotes");
      const member_name name{tokens.raw_string(), tokens.offset()};
      tokens.next();
      if (tokens.kind() != ':') return report_bad_json("a colon");
      tokens.next();
      return read(name);
    });
  }
  /// Calls `read(index)` at each element of the current array. It must consume the element.
  template <class Read>
  read_status elements(Read&& read) {
    return sequence(']', "a comma or ]", read);
  }
  /// Returns the offset of the bracket that closed the last object or array.
  std::uint64_t closing_offset() const noexcept { return closing_offset_; }

 private:
  template <class Read>
  read_status sequence(char closing, const char* expected, Read&& read) {
    bool is_invalid = false;
    tokens.next();
    if (tokens.kind() != closing) {
      for (std::uint64_t index = 0;; ++index) {
        const read_status result = read(index);
        if (result == read_status::stop) return result;
        is_invalid = is_invalid || result == read_status::invalid;
        if (tokens.kind() == closing) break;
        if (tokens.kind() != ',') return report_bad_json(expected);
        tokens.next();
      }
    }
    closing_offset_ = tokens.offset();
    tokens.next();
    return is_invalid ? read_status::invalid : read_status::ok;
  }

  std::uint64_t closing_offset_ = 0;
  std::string scratch_{};
};

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
