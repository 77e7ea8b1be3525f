// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <new>
#include <tgmap/constant/report.hpp>
#include <tgmap/constant/tensor_constant.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// Throws the first problem of a report, if there is one.
inline void throw_first(const report& all) {
  if (!all) return;
  if (all.first().code == tgmap::errc::out_of_memory) throw std::bad_alloc();
  throw error(all.problems.front());
}

/// Replaces a report by one problem.
inline void set_problem(report& into, const failure& why) noexcept try {
  into = {};
  into.problems.push_back({.cause = why});
} catch (const std::bad_alloc&) {
  into.out_of_memory = true;
}

/// Returns the result of `read()`, and reports lack of memory.
template <class Read>
tensor_constant read_noexcept(report& into, Read&& read) noexcept {
  try {
    into = {};
    into.problems.reserve(1);
  } catch (const std::bad_alloc&) {
    into.out_of_memory = true;
    return {};
  }
  try {
    return read();
  } catch (const std::bad_alloc&) {
    into.warnings.clear();
    into.problems.clear();  // keeps the memory for one problem
    into.problems.push_back({.cause = {.code = tgmap::errc::out_of_memory}});
    into.has_more = true;
    return {};
  }
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
