// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <tgmap/constant/report.hpp>
#include <tgmap/options.hpp>

#include "constant/json/token_source.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

/// Where reading is, in names, at most one label, and numbers; text only when there is something to tell. Borrows names
/// and the label.
class path {
 public:
  void member(std::string_view name) noexcept { push({.name = name, .what = kind::member}); }
  void label(std::string_view name) noexcept { push({.name = name, .what = kind::label}); }
  void element(std::uint64_t number) noexcept { push({.number = number, .what = kind::element}); }
  void number(std::uint64_t is) noexcept { steps_[size_ - 1].number = is; }  ///< of the last step, an element
  void keep_label();  ///< copies the label, if there is one, before its bytes go away
  void pop(std::size_t steps = 1) noexcept { size_ -= steps; }
  std::size_t size() const noexcept { return size_; }
  std::string text() const;

 private:
  enum class kind : std::uint8_t { member, label, element };
  struct step {
    std::string_view name{};
    std::uint64_t number = 0;
    kind what = kind::member;
  };
  void push(const step& one) noexcept { steps_[size_++] = one; }

  std::array<step, max_rank + 8> steps_{};
  std::size_t size_ = 0;
  std::string kept_{};
};

/// What a problem is, but for its place.
struct complaint {
  failure why{};
  std::string expected{}, found{};
};

/// Collects problems, as many as are wanted, and at the end finds out their lines.
class problem_list {
 public:
  problem_list(report& into, std::size_t most) noexcept : into_(into), most_(most == 0 ? 1 : most) {}

  /// Whether reading may go on.
  [[nodiscard]] bool tell(complaint, std::uint64_t offset, const path&);
  /// Nothing can be read behind this one.
  void tell_last(complaint, std::uint64_t offset, const path&);
  void warn(complaint, std::uint64_t offset, const path&);

  bool any() const noexcept { return !into_.problems.empty(); }
  std::size_t size() const noexcept { return into_.problems.size(); }
  /// Reading ends before the text does.
  void end() noexcept { into_.has_more = true; }

  /// Sorts all by their places, and counts lines: one pass over the text before the last of them.
  void finish(const text_view&);

 private:
  report& into_;
  std::size_t most_;
};

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap
