// SPDX-License-Identifier: Apache-2.0
// A row of the benchmark compares an operation of the library with bare loops that do the same (floors).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/counters.hpp"

namespace tgmap_bench {

struct floor_loop {
  std::string name;
  std::function<void()> run;
  unsigned threads = 1;
  bool counts = true;  ///< false: printed for information, never used as the floor
};

/// The functions of one row. Made when the row runs and destroyed right after it.
struct contest {
  double units = 1;  ///< number of the row's units that one run handles
  std::function<void()> operation{};
  std::vector<floor_loop> floors{};
  std::function<void()> before{};            ///< untimed, before each run of the operation and of a floor
  std::function<void()> before_operation{};  ///< untimed, before each run of the operation, after `before`
  std::function<void()> after_operation{};   ///< untimed
  std::function<double()> value{};           ///< a count of the row's own, taken right after a run of the operation
};

struct row {
  std::string name;  ///< operation/archive/state/mode
  std::string unit;  ///< the unit of times: "message", "object"
  std::function<contest()> prepare;
  int rounds = 15;
  std::string value_name{};  ///< name of the count of `contest::value`
  double reference = 0;      ///< nanoseconds a unit of the reference implementation, measured elsewhere; 0: unknown
};

/// The result of a row. Times are the minimum of all rounds, in nanoseconds a unit.
struct outcome {
  std::string name, unit, value_name;
  double units = 1, time = 0;
  double reference = 0;  ///< as in row
  std::vector<std::pair<std::string, double>> floors{};
  std::string best_floor{};
  std::optional<double> floor{};             ///< the minimum of the floors that count
  std::optional<double> one_thread_floor{};  ///< the same among floors of one thread
  std::optional<double> value{};
  counts cost{};  ///< of one run, all units

  std::optional<double> ratio() const { return floor ? std::optional(time / *floor) : std::nullopt; }
};

}  // namespace tgmap_bench
