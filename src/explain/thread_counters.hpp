// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <tgmap/tools/explain.hpp>

namespace tgmap::explain {

/// A `thread_counters` measures time, reads and page faults of the calling thread between start() and stop(). Sampling
/// the counters costs one read itself, which is subtracted.
/// Thread safety: one thread only.
class thread_counters {
 public:
  thread_counters() noexcept;
  ~thread_counters();
  thread_counters(const thread_counters&) = delete;
  thread_counters& operator=(const thread_counters&) = delete;

  /// Returns true if reads are counted. /proc may be absent or not readable.
  bool counts_reads() const noexcept { return file_ >= 0; }

  void start() noexcept;
  access_cost stop() noexcept;  ///< returns the cost since start()

 private:
  struct sample {
    std::uint64_t reads = 0, bytes = 0;
    std::uint64_t own_bytes = 0;  ///< bytes that taking the sample has read
    std::int64_t minor_faults = 0, major_faults = 0;
    std::chrono::steady_clock::time_point time{};
  };
  void count_reads(sample&) noexcept;
  static void count_faults(sample&) noexcept;

  int file_ = -1;
  sample start_{};
};

}  // namespace tgmap::explain
