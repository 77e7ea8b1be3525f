// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tgmap/constant/report.hpp>
#include <tgmap/options.hpp>

#include "constant/json/token_source.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant::json {

/// A `json_path` is the path of the current value: names, indexes and at most one label. It becomes text only for a
/// problem. It borrows names and the label.
class json_path {
 public:
  void push_member(std::string_view name) noexcept { push({.name = name, .kind = step_kind::member}); }
  void push_label(std::string_view name) noexcept { push({.name = name, .kind = step_kind::label}); }
  void push_index(std::uint64_t index) noexcept { push({.index = index, .kind = step_kind::index}); }
  /// Changes the last step, an index.
  void set_index(std::uint64_t index) noexcept { steps_[size_ - 1].index = index; }
  /// Copies the label, if there is one, because its bytes will become invalid.
  void own_label();
  void pop(std::size_t steps = 1) noexcept { size_ -= steps; }
  std::string text() const;

 private:
  enum class step_kind : std::uint8_t { member, label, index };
  struct step {
    std::string_view name{};
    std::uint64_t index = 0;
    step_kind kind = step_kind::member;
  };
  void push(const step& step) noexcept { steps_[size_++] = step; }

  std::array<step, max_rank + 8> steps_{};
  std::size_t size_ = 0;
  std::string owned_label_{};
};

/// A `problem_description` is a problem without its place.
struct problem_description {
  failure why{};
  std::string expected{}, found{};
};

/// A `problem_list` collects problems up to a maximum number, and finds their lines at the end.
class problem_list {
 public:
  problem_list(report& into, std::size_t max_problems) noexcept
      : into_(into), max_problems_(max_problems == 0 ? 1 : max_problems) {}

  /// Adds a problem. Returns false if reading must end.
  [[nodiscard]] bool add(problem_description, std::uint64_t offset, const json_path&);
  /// Adds a problem after which nothing can be read.
  void add_last(problem_description, std::uint64_t offset, const json_path&);
  void add_warning(problem_description, std::uint64_t offset, const json_path&);

  bool empty() const noexcept { return into_.problems.empty(); }
  /// Notes that reading ends before the text does.
  void set_has_more() noexcept { into_.has_more = true; }

  /// Sorts problems and warnings by offset and finds their lines.
  /// Complexity: O(text before the last one).
  void finish(const text_view&);

 private:
  report& into_;
  std::size_t max_problems_;
};

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
