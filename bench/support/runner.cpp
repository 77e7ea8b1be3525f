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

/// A row ends before all its rounds when it takes longer than this, but not before it had enough of them.
constexpr std::chrono::seconds patience{8};
constexpr int enough_rounds = 5;

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
    outcome out{.name = of.name,
                .unit = of.unit,
                .value_name = of.value_name,
                .units = the.units,
                .time = never,
                .reference = of.reference};
    for (const floor_loop& each : the.floors) out.floors.emplace_back(each.name, never);
    const auto start = std::chrono::steady_clock::now();
    int rounds = 0;
    double taken = 0;
    for (auto _ : state) {
      if (rounds < enough_rounds || std::chrono::steady_clock::now() - start < patience) {
        taken = round(the, out);
        ++rounds;
      }
      state.SetIterationTime(taken * 1e-9);  // of the last round, where patience ended: the loop cannot be left
    }
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
  if (std::ranges::none_of(rows, [&](const row& of) { return of.name.find(only) != std::string::npos; })) return out;
  silent reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter, ".");
  return out;
}

}  // namespace tgmap_bench
