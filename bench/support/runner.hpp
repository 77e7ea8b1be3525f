// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "support/contest.hpp"

namespace tgmap_bench {

struct finished_row {
  outcome measured;
  std::string error{};  ///< why the row could not be measured; empty: it was
};

/// How long a row is measured. Its rounds are divided among the runs; the run with the median ratio is the result.
struct effort {
  int runs = 1;
  int min_rounds = 5;                        ///< in each run
  std::chrono::milliseconds max_time{8000};  ///< of a run; it still does `min_rounds`
};

/// Runs the rows whose names contain `only` (all if empty) under Google Benchmark and calls `each` after each row.
/// Operation and floors alternate round by round, so that other load on the machine affects all of them.
std::vector<finished_row> run(const std::vector<row>&, const std::string& only, const effort&,
                              const std::function<void(const finished_row&)>& each);

}  // namespace tgmap_bench
