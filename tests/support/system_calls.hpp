// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>

namespace tgmap_test {

/// How often each system call is made.
using calls = std::map<std::uint64_t, unsigned>;

/// The system calls that `body` makes, run in a copy of this process that has one thread, behind `before`, whose calls
/// do not count. Nothing where processes may not be traced.
std::optional<calls> calls_in(const std::function<void()>& before, const std::function<void()>& body);

inline unsigned sum(const calls& all) {
  unsigned n = 0;
  for (const auto& [number, times] : all) n += times;
  return n;
}

}  // namespace tgmap_test
