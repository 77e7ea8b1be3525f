// SPDX-License-Identifier: Apache-2.0
#include "support/system_calls.hpp"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fstream>
#include <initializer_list>
#include <string>

namespace tgmap_bench {

system_call_counter::system_call_counter() noexcept {
  std::uint64_t tracepoint = 0;
  for (const char* const root : {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"}) {
    std::ifstream id(std::string(root) + "/events/raw_syscalls/sys_enter/id");
    if (id >> tracepoint) break;
  }
  if (tracepoint == 0) return;
  perf_event_attr what{};
  what.type = PERF_TYPE_TRACEPOINT;
  what.size = sizeof what;
  what.config = tracepoint;
  what.inherit = 1;
  descriptor_ = static_cast<int>(::syscall(SYS_perf_event_open, &what, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

system_call_counter::~system_call_counter() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::uint64_t system_call_counter::so_far() const noexcept {
  std::uint64_t count = 0;
  if (descriptor_ < 0 || ::read(descriptor_, &count, sizeof count) != sizeof count) return 0;
  return count;
}

}  // namespace tgmap_bench
