// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/constant/read.hpp>

#include "constant/json/number.hpp"
#include "constant/json/problem_list.hpp"
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

/// A `parser` is what all readers of a document share: tokens, options, problems and the path of the current value.
class parser {
 public:
  parser(text_view text, const read_options& wanted, report& into, std::size_t window)
      : tokens(text, window), options(wanted), problems(into, wanted.max_problems) {}

  token_source tokens;
  const read_options& options;
  problem_list problems;
  json_path path{};

  /// Returns the kind of the current value. A number may be malformed: only its first byte counts.
  value_kind kind() const noexcept;
  /// Returns the current token for messages.
  std::string describe_token() const;

  /// Reports a problem. Returns `stop` if no more problems are wanted, otherwise `invalid`.
  read_status report_problem(problem_description, std::uint64_t offset);
  /// The same; then skips the current value.
  read_status report_and_skip(problem_description, std::uint64_t offset);
  /// Reports that the text is not JSON here, or ends. Always returns `stop`.
  read_status report_bad_json(std::string expected);
  /// Reports that the current value has the wrong kind, and skips it.
  read_status report_wrong_value(errc, std::string expected);
  /// Skips the current value.
  /// Complexity: O(its text), for any depth.
  read_status skip();

  /// Returns the current string, in `scratch` if it has escapes, and stays at it. Returns nothing after an error.
  std::optional<std::string_view> string_here(std::string& scratch) {
    return unescaped(tokens.raw_string(), tokens.offset(), scratch);
  }
  std::optional<std::string_view> unescaped(std::string_view raw, std::uint64_t offset, std::string& scratch);

  /// Reads the value of a cell.
  template <class Cell>
  read_status read_cell(Cell& out) {
    double value = 0;
    if (parse_plain_number(tokens.current(), value) == nullptr)
      if (const read_status result = parse_other_number(value); result != read_status::ok) return result;
    if (!store_cell(value, out, rules())) return report_out_of_range();
    tokens.next();
    return read_status::ok;
  }
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

 private:
  /// Reads a number that `parse_plain_number` does not: a string, null, or many digits. Stays at it.
  read_status parse_other_number(double& out);
  read_status report_out_of_range();

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
    tokens.next();
    return is_invalid ? read_status::invalid : read_status::ok;
  }

  std::string scratch_{};
};

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
