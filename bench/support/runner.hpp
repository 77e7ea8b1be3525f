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
  std::string error{};  ///< why there is nothing measured
};

/// How long to measure a row. Its rounds are divided among the runs, and the run with the median ratio is the result.
struct effort {
  int runs = 1;
  int min_rounds = 5;                        ///< of each run
  std::chrono::milliseconds patience{8000};  ///< a run that lasts longer ends, but not before it had `min_rounds`
};

/// Runs the rows whose names contain `only` (all when empty) under Google Benchmark and hands over each as it ends.
/// Operation and floors take turns round by round, so that what disturbs the machine disturbs all of them.
std::vector<finished_row> run(const std::vector<row>&, const std::string& only, const effort&,
                              const std::function<void(const finished_row&)>& each);

}  // namespace tgmap_bench
