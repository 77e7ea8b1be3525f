// SPDX-License-Identifier: Apache-2.0
#include "explain/thread_counters.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <string_view>

namespace tgmap::explain {

namespace {

/// Returns the number that follows `name` in the file of counters, or 0.
std::uint64_t number_after(std::string_view text, std::string_view name) noexcept {
  const std::size_t at = text.find(name);
  if (at == text.npos) return 0;
  const std::string_view rest = text.substr(at + name.size());
  std::uint64_t out = 0;
  std::from_chars(rest.data(), rest.data() + rest.size(), out);
  return out;
}

}  // namespace

thread_counters::thread_counters() noexcept : file_(::open("/proc/thread-self/io", O_RDONLY | O_CLOEXEC)) {
  start();  // the first sample costs more; it must not count for the first step
  stop();
}

thread_counters::~thread_counters() {
  if (file_ >= 0) ::close(file_);
}

void thread_counters::count_reads(sample& into) noexcept {
  if (file_ < 0) return;
  std::array<char, 512> text{};
  const ssize_t size = ::pread(file_, text.data(), text.size(), 0);
  if (size <= 0) {
    ::close(file_);
    file_ = -1;
    return;
  }
  const std::string_view all(text.data(), static_cast<std::size_t>(size));
  into.bytes = number_after(all, "rchar: ");
  into.reads = number_after(all, "syscr: ");
  into.own_bytes = static_cast<std::uint64_t>(size);
}

void thread_counters::count_faults(sample& into) noexcept {
  rusage used{};
  ::getrusage(RUSAGE_THREAD, &used);
  into.minor_faults = used.ru_minflt;
  into.major_faults = used.ru_majflt;
}

void thread_counters::start() noexcept {
  count_reads(start_);
  count_faults(start_);
  start_.time = std::chrono::steady_clock::now();
}

access_cost thread_counters::stop() noexcept {
  sample now;
  now.time = std::chrono::steady_clock::now();
  count_faults(now);
  count_reads(now);
  access_cost out;
  out.nanoseconds =
      static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now.time - start_.time).count());
  out.minor_faults = static_cast<std::uint64_t>(now.minor_faults - start_.minor_faults);
  out.major_faults = static_cast<std::uint64_t>(now.major_faults - start_.major_faults);
  if (file_ < 0) return out;
  // A sample does not count its own read; the next one does.
  out.reads = now.reads - start_.reads - 1;
  out.bytes_read = now.bytes - start_.bytes - start_.own_bytes;
  return out;
}

}  // namespace tgmap::explain
