// SPDX-License-Identifier: Apache-2.0
#include "constant/json/problem_list.hpp"

#include <algorithm>
#include <cstring>
#include <tgmap/mapping_guard.hpp>
#include <utility>

#include "constant/json/string.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

namespace {

bool is_plain_name(std::string_view name) noexcept {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

problem at_place(complaint what, std::uint64_t offset, const path& where) {
  what.why.offset = offset;
  return {
      .cause = what.why, .path = where.text(), .expected = std::move(what.expected), .found = std::move(what.found)};
}

/// Counts lines from one place to the next.
struct line_counter {
  const text_view& text;
  std::uint64_t at = 0, line = 1, begin = 0;

  void go_to(std::uint64_t offset) noexcept {
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
    count.go_to(one.cause.offset);
    one.line = count.line;
    one.column = one.cause.offset - count.begin + 1;
  }
}

void sort_by_place(std::vector<problem>& all) {
  std::stable_sort(all.begin(), all.end(),
                   [](const problem& a, const problem& b) { return a.cause.offset < b.cause.offset; });
}

}  // namespace

std::string path::text() const {
  std::string out;
  for (std::size_t i = 0; i < size_; ++i) {
    const step& one = steps_[i];
    if (one.what == kind::element)
      out += '[' + std::to_string(one.number) + ']';
    else if (one.what == kind::member && is_plain_name(one.name))
      (out += i == 0 ? "" : ".") += shown(one.name);
    else
      out += '[' + shown_quoted(one.name) + ']';
  }
  return out;
}

void path::keep_label() {
  for (std::size_t i = 0; i < size_; ++i) {
    if (steps_[i].what != kind::label || steps_[i].name.data() == kept_.data()) continue;
    kept_ = steps_[i].name;
    steps_[i].name = kept_;
  }
}

bool problem_list::tell(complaint what, std::uint64_t offset, const path& where) {
  if (into_.problems.size() == most_) {
    into_.has_more = true;
    return false;
  }
  into_.problems.push_back(at_place(std::move(what), offset, where));
  return true;
}

void problem_list::tell_last(complaint what, std::uint64_t offset, const path& where) {
  (void)tell(std::move(what), offset, where);
  into_.has_more = true;
}

void problem_list::warn(complaint what, std::uint64_t offset, const path& where) {
  into_.warnings.push_back(at_place(std::move(what), offset, where));
}

void problem_list::finish(const text_view& text) {
  sort_by_place(into_.problems);
  sort_by_place(into_.warnings);
  const auto count = [&]() noexcept {
    find_lines(into_.problems, text);
    find_lines(into_.warnings, text);
  };
  if (!text.mapped)
    count();
  else
    (void)mapping_guard::run(count);  // a file that has become shorter has no lines to count
}

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap
