// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>

namespace tgmap_test {

/// Number of calls, by system call.
using calls = std::map<std::uint64_t, unsigned>;

/// Returns the system calls of `body`, run after `before` in a copy of this process with one thread. Calls of `before`
/// do not count. Returns nothing if processes may not be traced.
std::optional<calls> calls_in(const std::function<void()>& before, const std::function<void()>& body);

inline unsigned sum(const calls& all) {
  unsigned n = 0;
  for (const auto& [number, times] : all) n += times;
  return n;
}

}  // namespace tgmap_test
