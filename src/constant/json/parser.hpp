// SPDX-License-Identifier: Apache-2.0
// What all parts of reading a document share: tokens, problems, and what may be there.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tgmap/constant/builder.hpp>
#include <tgmap/constant/read.hpp>

#include "constant/json/cell.hpp"
#include "constant/json/number.hpp"
#include "constant/json/problem_list.hpp"
#include "constant/json/string.hpp"
#include "constant/json/token_source.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

/// What came of reading something.
enum class outcome : std::uint8_t {
  got,    ///< it is there; the token is the one behind it
  wrong,  ///< told; the token is the one behind it
  stop,   ///< told; nothing more is read
};

/// The kind of value that a token begins.
enum class value_kind : std::uint8_t { none, string, number, array, object, boolean, null };

/// A member's name, before its value is looked at. Its bytes stay where they are until the token behind the value's
/// first.
struct member_name {
  std::string_view raw{};
  std::uint64_t offset = 0;
  bool is(std::string_view wanted) const noexcept { return raw == wanted; }
};

class parser {
 public:
  parser(text_view text, const read_options& wanted, report& into, std::size_t window)
      : at(text, window), options(wanted), problems(into, wanted.max_problems) {}

  token_source at;
  const read_options& options;
  problem_list problems;
  path where{};

  /// Of the token. A number need not be one: its first byte says so.
  value_kind kind() const noexcept;

  /// Tells of something, then nothing is read any more but where more problems are wanted.
  outcome tell(complaint, std::uint64_t offset);
  /// What is here is not JSON, or there is nothing more.
  outcome bad_json(std::string expected);
  /// A value of another kind stands here, is told, and left behind.
  outcome wrong_value(errc, std::string expected);
  /// Leaves the value here behind. O(its text), whatever its depth.
  outcome skip();
  /// For people: the token.
  std::string found_here() const;

  /// The string here, in `scratch` where something in it is escaped; stays at it. Nothing: told, and reading stops.
  std::optional<std::string_view> string_here(std::string& scratch) {
    return text_of(at.raw_string(), at.offset(), scratch);
  }
  std::optional<std::string_view> text_of(std::string_view raw, std::uint64_t offset, std::string& scratch);

  /// The number here, which is no plain one: a string or a word, or many digits. Stays at it where it is got.
  outcome look_at_number(double& out);

  /// A cell's value here.
  template <class Cell>
  outcome read_cell(Cell& out) {
    double value = 0;
    const char* end = plain_number(at.here(), value);
    if (end == nullptr)
      if (const outcome seen = look_at_number(value); seen != outcome::got) return seen;
    if (!put_cell(value, out, rules())) return out_of_range();
    at.next();
    return outcome::got;
  }
  outcome out_of_range();
  cell_rules rules() const noexcept { return {options.round_to_nearest, options.reject_fractions}; }

  /// The members of the object here, one by one: `each(name)` begins at the value, and leaves it behind.
  template <class Each>
  outcome members(Each&& each);
  /// The elements of the array here: `each(number)`.
  template <class Each>
  outcome elements(Each&& each);

 private:
  std::string scratch_{};
};

template <class Each>
outcome parser::members(Each&& each) {
  bool wrong = false;
  at.next();
  if (at.kind() == '}') {
    at.next();
    return outcome::got;
  }
  for (;;) {
    if (at.kind() != '"') return bad_json("a name in quotes");
    const member_name name{at.raw_string(), at.offset()};
    at.next();
    if (at.kind() != ':') return bad_json("a colon");
    at.next();
    const outcome came = each(name);
    if (came == outcome::stop) return came;
    wrong = wrong || came == outcome::wrong;
    if (at.kind() == ',') {
      at.next();
      continue;
    }
    if (at.kind() != '}') return bad_json("a comma or }");
    at.next();
    return wrong ? outcome::wrong : outcome::got;
  }
}

template <class Each>
outcome parser::elements(Each&& each) {
  bool wrong = false;
  at.next();
  if (at.kind() == ']') {
    at.next();
    return outcome::got;
  }
  for (std::uint64_t number = 0;; ++number) {
    const outcome came = each(number);
    if (came == outcome::stop) return came;
    wrong = wrong || came == outcome::wrong;
    if (at.kind() == ',') {
      at.next();
      continue;
    }
    if (at.kind() != ']') return bad_json("a comma or ]");
    at.next();
    return wrong ? outcome::wrong : outcome::got;
  }
}

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap
