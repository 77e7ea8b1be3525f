// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace tgmap_bench {

/// Counts the system calls of this process and the threads it starts, where the kernel lets us (the tracepoint
/// raw_syscalls:sys_enter: root, or perf_event_paranoid -1, and a mounted tracefs).
class system_call_counter {
 public:
  system_call_counter() noexcept;
  ~system_call_counter();
  system_call_counter(const system_call_counter&) = delete;
  system_call_counter& operator=(const system_call_counter&) = delete;

  bool available() const noexcept { return descriptor_ >= 0; }
  std::uint64_t so_far() const noexcept;  ///< 0 when not available

 private:
  int descriptor_ = -1;
};

}  // namespace tgmap_bench
