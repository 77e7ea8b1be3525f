// SPDX-License-Identifier: Apache-2.0
#include "support/runner.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>

namespace tgmap_bench {

namespace {

using nanoseconds = std::chrono::duration<double, std::nano>;

double elapsed(const std::function<void()>& what) {
  const auto start = std::chrono::steady_clock::now();
  what();
  return nanoseconds(std::chrono::steady_clock::now() - start).count();
}

void call(const std::function<void()>& what) {
  if (what) what();
}

void run_operation(const contest& the, const std::function<void(const std::function<void()>&)>& around) {
  call(the.before);
  call(the.before_operation);
  around(the.operation);
}

/// One round: each floor, then the operation. Returns the operation's time.
double round(const contest& the, outcome& out) {
  for (std::size_t i = 0; i < the.floors.size(); ++i) {
    call(the.before);
    double& best = out.floors[i].second;
    best = std::min(best, elapsed(the.floors[i].run) / the.units);
  }
  double taken = 0;
  run_operation(the, [&](const std::function<void()>& operation) { taken = elapsed(operation); });
  call(the.after_operation);
  out.time = std::min(out.time, taken / the.units);
  return taken;
}

void choose_floor(const contest& the, outcome& out) {
  for (std::size_t i = 0; i < the.floors.size(); ++i) {
    if (!the.floors[i].counts) continue;
    const double time = out.floors[i].second;
    if (!out.floor || time < *out.floor) {
      out.floor = time;
      out.best_floor = out.floors[i].first;
    }
    if (the.floors[i].threads == 1) out.one_thread_floor = std::min(time, out.one_thread_floor.value_or(time));
  }
}

void measure(benchmark::State& state, const row& of, finished_row& result) {
  try {
    const contest the = of.prepare();
    constexpr double never = std::numeric_limits<double>::infinity();
    outcome out{.name = of.name, .unit = of.unit, .value_name = of.value_name, .units = the.units, .time = never};
    for (const floor_loop& each : the.floors) out.floors.emplace_back(each.name, never);
    for (auto _ : state) state.SetIterationTime(round(the, out) * 1e-9);
    choose_floor(the, out);
    run_operation(the, [&](const std::function<void()>& operation) { out.cost = counted(operation); });
    if (the.value) out.value = the.value();
    call(the.after_operation);
    result.measured = out;
  } catch (const std::exception& why) {
    result.error = why.what();
    state.SkipWithError(why.what());
  }
}

/// Google Benchmark's own tables have no place for a floor.
class silent : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

}  // namespace

std::vector<finished_row> run(const std::vector<row>& rows, const std::string& only,
                              const std::function<void(const finished_row&)>& each) {
  std::vector<finished_row> out;
  benchmark::ClearRegisteredBenchmarks();
  for (const row& of : rows) {
    if (of.name.find(only) == std::string::npos) continue;
    benchmark::RegisterBenchmark(
        of.name.c_str(),
        [&](benchmark::State& state) {
          finished_row result{.measured = {.name = of.name, .unit = of.unit, .value_name = of.value_name}};
          measure(state, of, result);
          each(result);
          out.push_back(std::move(result));
        })
        ->Iterations(of.rounds)
        ->UseManualTime();
  }
  silent reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter, ".");
  return out;
}

}  // namespace tgmap_bench
