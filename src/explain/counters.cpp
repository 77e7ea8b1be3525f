// SPDX-License-Identifier: Apache-2.0
#include "explain/counters.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <string_view>

namespace tgmap::explain {

namespace {

/// The number behind "name: " in the file of counters.
std::uint64_t number_behind(std::string_view text, std::string_view name) noexcept {
  const std::size_t at = text.find(name);
  if (at == text.npos) return 0;
  const std::string_view rest = text.substr(at + name.size());
  std::uint64_t out = 0;
  std::from_chars(rest.data(), rest.data() + rest.size(), out);
  return out;
}

}  // namespace

counters::counters() noexcept : file_(::open("/proc/thread-self/io", O_RDONLY | O_CLOEXEC)) {
  start();  // what taking a sample takes the first time is not part of the first step
  stop();
}

counters::~counters() {
  if (file_ >= 0) ::close(file_);
}

void counters::count_reads(sample& into) noexcept {
  if (file_ < 0) return;
  std::array<char, 512> text{};
  const ssize_t size = ::pread(file_, text.data(), text.size(), 0);
  if (size <= 0) {
    ::close(file_);
    file_ = -1;
    return;
  }
  const std::string_view all(text.data(), static_cast<std::size_t>(size));
  into.bytes = number_behind(all, "rchar: ");
  into.reads = number_behind(all, "syscr: ");
  into.own = static_cast<std::uint64_t>(size);
}

void counters::count_faults(sample& into) noexcept {
  rusage used{};
  ::getrusage(RUSAGE_THREAD, &used);
  into.minor = used.ru_minflt;
  into.major = used.ru_majflt;
}

void counters::start() noexcept {
  count_reads(start_);
  count_faults(start_);
  start_.time = std::chrono::steady_clock::now();
}

access_cost counters::stop() noexcept {
  sample now;
  now.time = std::chrono::steady_clock::now();
  count_faults(now);
  count_reads(now);
  access_cost out;
  out.nanoseconds =
      static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now.time - start_.time).count());
  out.minor_faults = static_cast<std::uint64_t>(now.minor - start_.minor);
  out.major_faults = static_cast<std::uint64_t>(now.major - start_.major);
  if (file_ < 0) return out;
  // A sample does not count its own read, but the one after it does.
  out.reads = now.reads - start_.reads - 1;
  out.bytes_read = now.bytes - start_.bytes - start_.own;
  return out;
}

}  // namespace tgmap::explain
