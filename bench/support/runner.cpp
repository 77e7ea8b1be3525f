// SPDX-License-Identifier: Apache-2.0
#include "support/runner.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>
#include <vector>

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

/// Runs one round: each floor, then the operation. Returns the operation's time.
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

/// Orders by the ratio to the floor, or by time if there is no floor.
bool is_faster(const outcome& left, const outcome& right) {
  return left.floor && right.floor ? *left.ratio() < *right.ratio() : left.time < right.time;
}

/// The runs of one row, one after the other. A run that takes too long ends early.
class run_sequence {
 public:
  run_sequence(const contest& the, const row& row, const effort& how) : contest_(the), effort_(how) {
    constexpr double never = std::numeric_limits<double>::infinity();
    outcome blank{.name = row.name,
                  .unit = row.unit,
                  .value_name = row.value_name,
                  .units = the.units,
                  .time = never,
                  .reference = row.reference};
    for (const floor_loop& each : the.floors) blank.floors.emplace_back(each.name, never);
    runs_.assign(static_cast<std::size_t>(how.runs), blank);
  }

  /// Does a round of run number `which`, unless the time of that run is used up. Returns the operation's last time.
  double round_of(std::size_t which) {
    if (which != current_) {
      current_ = which;
      rounds_ = 0;
      start_ = std::chrono::steady_clock::now();
    }
    if (rounds_ < effort_.min_rounds || std::chrono::steady_clock::now() - start_ < effort_.max_time) {
      taken_ = round(contest_, runs_[which]);
      ++rounds_;
    }
    return taken_;
  }

  outcome median() {
    for (outcome& each : runs_) choose_floor(contest_, each);
    std::ranges::sort(runs_, is_faster);
    return runs_[runs_.size() / 2];
  }

 private:
  const contest& contest_;
  const effort& effort_;
  std::vector<outcome> runs_;
  std::size_t current_ = 0;
  int rounds_ = 0;
  double taken_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

int rounds_in_all(const row& row, const effort& how) { return std::max(row.rounds, how.runs * how.min_rounds); }

void measure(benchmark::State& state, const row& row, const effort& how, finished_row& result) {
  try {
    const contest the = row.prepare();
    run_sequence runs(the, row, how);
    std::size_t rounds = 0;
    const auto share = static_cast<std::size_t>(rounds_in_all(row, how) / how.runs);
    const auto last_run = static_cast<std::size_t>(how.runs - 1);
    for (auto _ : state) state.SetIterationTime(runs.round_of(std::min(rounds++ / share, last_run)) * 1e-9);
    outcome out = runs.median();
    run_operation(the, [&](const std::function<void()>& operation) { out.cost = counted(operation); });
    if (the.value) out.value = the.value();
    call(the.after_operation);
    result.measured = out;
  } catch (const std::exception& why) {
    result.error = why.what();
    state.SkipWithError(why.what());
  }
}

/// Discards Google Benchmark's own tables, which have no column for a floor.
class silent : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

}  // namespace

std::vector<finished_row> run(const std::vector<row>& rows, const std::string& only, const effort& how,
                              const std::function<void(const finished_row&)>& each) {
  std::vector<finished_row> out;
  benchmark::ClearRegisteredBenchmarks();
  for (const row& of : rows) {
    if (of.name.find(only) == std::string::npos) continue;
    benchmark::RegisterBenchmark(
        of.name.c_str(),
        [&](benchmark::State& state) {
          finished_row result{.measured = {.name = of.name, .unit = of.unit, .value_name = of.value_name}};
          measure(state, of, how, result);
          each(result);
          out.push_back(std::move(result));
        })
        ->Iterations(rounds_in_all(of, how))
        ->UseManualTime();
  }
  if (std::ranges::none_of(rows, [&](const row& of) { return of.name.find(only) != std::string::npos; })) return out;
  silent reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter, ".");
  return out;
}

}  // namespace tgmap_bench
