// SPDX-License-Identifier: Apache-2.0
// What the system counts for the calling thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <tgmap/tools/explain.hpp>

namespace tgmap::explain {

/// Reading the counters costs a read itself, which is taken off again. For one thread.
class counters {
 public:
  counters() noexcept;
  ~counters();
  counters(const counters&) = delete;
  counters& operator=(const counters&) = delete;

  /// Whether reads are counted: /proc may be absent, or closed to us.
  bool counts_reads() const noexcept { return file_ >= 0; }

  void start() noexcept;
  access_cost stop() noexcept;  ///< since start()

 private:
  struct sample {
    std::uint64_t reads = 0, bytes = 0;
    std::uint64_t own = 0;  ///< bytes that taking it has read
    std::int64_t minor = 0, major = 0;
    std::chrono::steady_clock::time_point time{};
  };
  void count_reads(sample&) noexcept;
  static void count_faults(sample&) noexcept;

  int file_ = -1;
  sample start_{};
};

}  // namespace tgmap::explain
