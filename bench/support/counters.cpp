// SPDX-License-Identifier: Apache-2.0
#include "support/counters.hpp"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>
#include <system_error>

#include "support/heap.hpp"

namespace tgmap_bench {

namespace {

/// Reads /proc/self/io, which sums up all threads, including those that ended.
class process_io {
 public:
  struct numbers {
    std::uint64_t handed_over = 0, read_calls = 0, from_device = 0, length = 0;
  };

  process_io() : descriptor_(::open("/proc/self/io", O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) throw std::system_error(errno, std::system_category(), "/proc/self/io");
  }
  ~process_io() { ::close(descriptor_); }
  process_io(const process_io&) = delete;
  process_io& operator=(const process_io&) = delete;

  numbers now() const {
    std::array<char, 512> text;
    const ssize_t got = ::pread(descriptor_, text.data(), text.size(), 0);
    if (got < 0) throw std::system_error(errno, std::system_category(), "/proc/self/io");
    const std::string_view all(text.data(), static_cast<std::size_t>(got));
    return {.handed_over = number(all, "rchar: "),
            .read_calls = number(all, "syscr: "),
            .from_device = number(all, "\nread_bytes: "),
            .length = static_cast<std::uint64_t>(got)};
  }

 private:
  static std::uint64_t number(std::string_view all, std::string_view name) {
    std::uint64_t out = 0;
    const std::size_t at = all.find(name);
    if (at != all.npos) std::from_chars(all.data() + at + name.size(), all.data() + all.size(), out);
    return out;
  }

  int descriptor_;
};

const process_io& io() {
  static const process_io the_io;
  return the_io;
}

const system_call_counter& calls() {
  static const system_call_counter the_counter;
  return the_counter;
}

counts raw(const std::function<void()>& what) {
  rusage before{}, after{};
  const heap_counts heap_before = heap_so_far();
  ::getrusage(RUSAGE_SELF, &before);
  const process_io::numbers io_before = io().now();
  const std::uint64_t calls_before = calls().so_far();
  what();
  const std::uint64_t calls_after = calls().so_far();
  const process_io::numbers io_after = io().now();
  ::getrusage(RUSAGE_SELF, &after);
  const heap_counts heap_after = heap_so_far();

  counts out;
  out.minor_faults = static_cast<std::uint64_t>(after.ru_minflt - before.ru_minflt);
  out.major_faults = static_cast<std::uint64_t>(after.ru_majflt - before.ru_majflt);
  out.device_bytes = io_after.from_device - io_before.from_device;
  // The first reading is itself a read call, and so are the two of the other counter.
  const std::uint64_t own = calls().available() ? 2 : 0;
  out.read_bytes = io_after.handed_over - io_before.handed_over - io_before.length - own * sizeof(std::uint64_t);
  out.system_calls = calls().available() ? calls_after - calls_before : io_after.read_calls - io_before.read_calls - 1;
  out.allocations = heap_after.allocations - heap_before.allocations;
  out.allocated_bytes = heap_after.bytes - heap_before.bytes;
  out.live_bytes = heap_after.live - heap_before.live;
  return out;
}

}  // namespace

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

counts counted(const std::function<void()>& what) {
  static const counts nothing = (raw([] {}), raw([] {}));
  counts out = raw(what);
  out.minor_faults -= std::min(out.minor_faults, nothing.minor_faults);
  out.system_calls -= std::min(out.system_calls, nothing.system_calls);
  return out;
}

bool counts_every_system_call() { return calls().available(); }

}  // namespace tgmap_bench
