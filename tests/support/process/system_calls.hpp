// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tgmap_test {

/// Number of calls, by system call.
using calls = std::map<std::uint64_t, unsigned>;

/// Returns the system calls of `body`, run after `before` in a copy of this process with one thread. Calls of `before`
/// do not count. Returns nothing if processes may not be traced.
std::optional<calls> calls_in(const std::function<void()>& before, const std::function<void()>& body);

/// Returns the system calls of the first thread of a program, from its start on. Its standard output is dropped.
/// Returns nothing if processes may not be traced.
std::optional<calls> calls_of(std::vector<std::string> command);

inline unsigned sum(const calls& all) {
  unsigned n = 0;
  for (const auto& [number, times] : all) n += times;
  return n;
}

}  // namespace tgmap_test
