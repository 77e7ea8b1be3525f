// SPDX-License-Identifier: Apache-2.0
#include "constant/json/problem_list.hpp"

#include <algorithm>
#include <cstring>
#include <tgmap/mapping_guard.hpp>
#include <utility>

#include "constant/json/json_string.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant::json {

namespace {

bool is_plain_name(std::string_view name) noexcept {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

problem make_problem(problem_description problem, std::uint64_t offset, const json_path& where) {
  problem.why.offset = offset;
  return {.cause = problem.why,
          .path = where.text(),
          .expected = std::move(problem.expected),
          .found = std::move(problem.found)};
}

/// A `line_counter` counts the lines up to increasing offsets.
struct line_counter {
  const text_view& text;
  std::uint64_t at = 0, line = 1, begin = 0;

  void advance_to(std::uint64_t offset) noexcept {
    offset = std::min(offset, text.size);
    while (at < offset) {
      const void* end = std::memchr(text.data + at, '\n', static_cast<std::size_t>(offset - at));
      if (end == nullptr) break;
      begin = at = static_cast<std::uint64_t>(static_cast<const char*>(end) - text.data) + 1;
      ++line;
    }
    at = std::max(at, offset);
  }
};

void find_lines(std::vector<problem>& all, const text_view& text) noexcept {
  line_counter count{text};
  for (problem& one : all) {
    count.advance_to(one.cause.offset);
    one.line = count.line;
    one.column = one.cause.offset - count.begin + 1;
  }
}

void sort_by_offset(std::vector<problem>& all) {
  std::stable_sort(all.begin(), all.end(),
                   [](const problem& a, const problem& b) { return a.cause.offset < b.cause.offset; });
}

}  // namespace

std::string json_path::text() const {
  std::string out;
  for (std::size_t i = 0; i < size_; ++i) {
    const step& step = steps_[i];
    if (step.kind == step_kind::index)
      out += '[' + std::to_string(step.index) + ']';
    else if (step.kind == step_kind::member && is_plain_name(step.name))
      (out += i == 0 ? "" : ".") += printable(step.name);
    else
      out += '[' + printable_quoted(step.name) + ']';
  }
  return out;
}

void json_path::own_label() {
  for (std::size_t i = 0; i < size_; ++i) {
    if (steps_[i].kind != step_kind::label || steps_[i].name.data() == owned_label_.data()) continue;
    owned_label_ = steps_[i].name;
    steps_[i].name = owned_label_;
  }
}

bool problem_list::add(problem_description problem, std::uint64_t offset, const json_path& where) {
  if (into_.problems.size() == max_problems_) {
    into_.has_more = true;
    return false;
  }
  into_.problems.push_back(make_problem(std::move(problem), offset, where));
  return true;
}

void problem_list::add_last(problem_description problem, std::uint64_t offset, const json_path& where) {
  (void)add(std::move(problem), offset, where);
  into_.has_more = true;
}

void problem_list::add_warning(problem_description problem, std::uint64_t offset, const json_path& where) {
  into_.warnings.push_back(make_problem(std::move(problem), offset, where));
}

void problem_list::finish(const text_view& text) {
  sort_by_offset(into_.problems);
  sort_by_offset(into_.warnings);
  const auto count = [&]() noexcept {
    find_lines(into_.problems, text);
    find_lines(into_.warnings, text);
  };
  if (!text.is_mapped)
    count();
  else
    (void)mapping_guard::run(count);  // no lines if the file became shorter
}

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
