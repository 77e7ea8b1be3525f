// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace tgmap_bench {

/// The cost of one run, except time. Counted for the whole process, all threads.
struct counts {
  std::uint64_t minor_faults = 0, major_faults = 0;
  std::uint64_t device_bytes = 0;  ///< fetched from storage
  std::uint64_t read_bytes = 0;    ///< returned by read calls, cached or not
  std::uint64_t system_calls = 0;  ///< all system calls, or read calls only: see `counts_every_system_call`
  std::uint64_t allocations = 0, allocated_bytes = 0;
  std::int64_t live_bytes = 0;  ///< growth of the heap
};

/// Runs `what` once and returns its counts, without the cost of counting.
counts counted(const std::function<void()>& what);

/// Returns true if all system calls are counted (perf_event), false if only read calls are (/proc/self/io).
bool counts_every_system_call();

/// Counts the system calls of this process and the threads it starts. The kernel must permit the tracepoint
/// raw_syscalls:sys_enter: root or perf_event_paranoid -1, and a mounted tracefs.
class system_call_counter {
 public:
  system_call_counter() noexcept;
  ~system_call_counter();
  system_call_counter(const system_call_counter&) = delete;
  system_call_counter& operator=(const system_call_counter&) = delete;

  bool available() const noexcept { return descriptor_ >= 0; }
  std::uint64_t so_far() const noexcept;  ///< 0 if not available

 private:
  int descriptor_ = -1;
};

}  // namespace tgmap_bench
