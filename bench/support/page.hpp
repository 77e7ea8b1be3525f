// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace tgmap_bench {

/// Prints what the demonstration does, with the time each step took. Headings are bold at a terminal only.
class page {
 public:
  page();

  void heading(std::string_view text) const;
  void line(std::string_view text) const;
  /// A name, the time since the last `start` and what came out.
  void step(std::string_view name, const std::string& result);
  void start() noexcept { started_ = clock::now(); }

 private:
  using clock = std::chrono::steady_clock;
  bool bold_;
  clock::time_point started_ = clock::now();
};

std::string human_size(std::uint64_t bytes);       ///< "1.1 GB"
std::string human_time(std::chrono::nanoseconds);  ///< "310 ns", "4.2 µs", "12 ms", "3.4 s"

}  // namespace tgmap_bench
