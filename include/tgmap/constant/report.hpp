// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tgmap/constant/errc.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// Something wrong with a constant, and its place.
struct problem {
  failure cause{};           ///< `offset`: the byte of the text, from 0
  std::uint64_t line = 0;    ///< from 1; 0: the source has no lines
  std::uint64_t column = 0;  ///< in bytes, from 1
  std::string path{};        ///< `values[3][17]`, `blocks["foo"]`, `cells[4].address.x`; empty: the whole
  std::string expected{};    ///< what should stand there: "3 elements"; may be empty
  std::string found{};       ///< what does: "a string"; may be empty. Escaped

  /// What is wrong, without the line: `values[3][17]: expected a number, found "one"`. From the file comes nothing
  /// that is not escaped.
  TGMAP_API std::string what() const;
  /// The same behind its place: `12:7: values[3][17]: ...`.
  TGMAP_API std::string text() const;
};

/// What came of reading a constant. Every call that takes one empties it first.
///
/// True, as a `failure` is, when there is no constant to use. Warnings alone leave it false.
class report {
 public:
  std::vector<problem> problems{};  ///< in the order of the text; the first is why there is no constant
  std::vector<problem> warnings{};  ///< things that the reader decided: a type that is spelled in another way
  bool has_more = false;            ///< there were more problems than were asked for, or reading could not go on

  bool out_of_memory = false;  ///< there was none, not even to tell so

  explicit operator bool() const noexcept { return out_of_memory || !problems.empty(); }
  /// The first problem; empty when there is none.
  failure first() const noexcept {
    if (!problems.empty()) return problems.front().cause;
    return out_of_memory ? failure{.code = tgmap::errc::out_of_memory} : failure{};
  }
};

/// What the throwing doors throw: an error that knows the place in the text.
class TGMAP_API error : public tgmap::error {
 public:
  explicit error(const problem&);
  ~error() override;
  const problem& first_problem() const noexcept TGMAP_LIFETIMEBOUND { return *problem_; }
  const char* what() const noexcept override;  ///< `where().text()`

 private:
  std::shared_ptr<const problem> problem_;
  std::shared_ptr<const std::string> text_;
};

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
