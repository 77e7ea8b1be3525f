// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tgmap/constant/errc.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// A `problem` is an error in a constant and its position.
struct problem {
  failure cause{};           ///< the error; `offset` is the byte in the text, from 0
  std::uint64_t line = 0;    ///< from 1; 0 if the source has no lines
  std::uint64_t column = 0;  ///< in bytes, from 1
  std::string path{};        ///< such as `values[3][17]` or `blocks["foo"]`; empty for the whole document
  std::string expected{};    ///< the expected content, such as "3 elements"; may be empty
  std::string found{};       ///< the content found, such as "a string"; may be empty; escaped

  /// Returns the problem without its line, such as `values[3][17]: expected a number, found "one"`.
  ///
  /// Text from the file is escaped.
  TGMAP_API std::string what() const;
  /// Returns the same after line and column: `12:7: values[3][17]: ...`.
  TGMAP_API std::string text() const;
  /// Returns the problem as a JSON object in ASCII: `{"code":"bad_number","line":12,"column":7,"offset":80,...}`.
  /// docs/schema/constant_check.json describes its members. The code is "io" unless it is a `constant::errc`.
  /// Errors: throws std::bad_alloc.
  TGMAP_API std::string json() const;
};

/// A `report` is the list of problems that a call found. Every call that takes a report empties it first.
///
/// Like a `failure` it is true if the call gave no constant. Warnings alone leave it false.
class report {
 public:
  std::vector<problem> problems{};  ///< in the order of the text; the first one is the cause of the failure
  std::vector<problem> warnings{};  ///< decisions of the reader, such as another notation of a type
  bool has_more = false;  ///< there may be more problems: `max_problems` was reached, or reading could not continue

  bool out_of_memory = false;  ///< memory ran out, perhaps before a problem could be stored

  /// Returns true if the call failed.
  explicit operator bool() const noexcept { return out_of_memory || !problems.empty(); }
  /// Returns the first error; an empty one if there is none.
  failure first() const noexcept {
    if (!problems.empty()) return problems.front().cause;
    return out_of_memory ? failure{.code = tgmap::errc::out_of_memory} : failure{};
  }
};

/// An `error` is thrown by the overloads without a `report`. It knows the position in the text.
class TGMAP_API error : public tgmap::error {
 public:
  explicit error(const problem&);
  ~error() override;
  /// Returns the first problem.
  const problem& first_problem() const noexcept TGMAP_LIFETIMEBOUND { return *problem_; }
  /// Returns `first_problem().text()`.
  const char* what() const noexcept override;

 private:
  std::shared_ptr<const problem> problem_;
  std::shared_ptr<const std::string> text_;
};

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
