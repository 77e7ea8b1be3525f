// SPDX-License-Identifier: Apache-2.0
#include "support/reporter.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <tgmap/build_info.hpp>

#include "support/verdict.hpp"

namespace tgmap_bench {

namespace {

std::string scaled(double number, std::initializer_list<const char*> units, double step = 1000) {
  auto unit = units.begin();
  while (number >= 0.9995 * step && unit + 1 != units.end()) {
    number /= step;
    ++unit;
  }
  return fmt::format("{:.{}f}{}", number,
                     number < 9.995 && number > 0   ? 2
                     : number < 99.95 && number > 0 ? 1
                                                    : 0,
                     *unit);
}

std::string spoken_time(double nanoseconds) { return scaled(nanoseconds, {" ns", " µs", " ms", " s"}); }

std::string spoken_count(std::uint64_t count) {
  return count < 10'000 ? fmt::format("{}", count) : scaled(static_cast<double>(count), {"", " k", " M", " G"});
}

std::string spoken_bytes(std::uint64_t bytes) {
  return bytes == 0 ? "0" : scaled(static_cast<double>(bytes), {" B", " kB", " MB", " GB"});
}

std::string spoken(const bar& bar, double number) {
  switch (bar.kind) {
    case bar_kind::nanoseconds: return spoken_time(number);
    case bar_kind::allocations: return fmt::format("{:.0f} allocations", number);
    default: return number > 1e5 ? spoken_bytes(static_cast<std::uint64_t>(number)) : fmt::format("{:.4g}", number);
  }
}

constexpr const char* columns = "{:<31} {:>9} {:<9}{:>9}  {:<18} {:>6}  {:<15}{:>8} {:>6} {:>8} {:>8} {:>7} {:>16}\n";

const char* name(bar_kind kind) {
  switch (kind) {
    case bar_kind::ratio: return "ratio";
    case bar_kind::nanoseconds: return "time_ns";
    case bar_kind::value: return "value";
    case bar_kind::allocations: return "allocations";
  }
  return "?";
}

}  // namespace

void table_reporter::heading(const std::string& machine) const {
  fmt::print("{}\n\n", machine);
  fmt::print(columns, "operation/archive/state/mode", "time", "one", "floor", "which floor", "ratio", "  bar", "minor",
             "major", "device", "read", counts_every_system_call() ? "calls" : "reads", "allocations");
  std::fflush(stdout);
}

void table_reporter::row(const finished_row& row) const {
  const outcome& m = row.measured;
  if (!row.error.empty()) {
    fmt::print("{:<31} not measured: {}\n", m.name, row.error);
    return;
  }
  std::string limits;
  for (const verdict& v : judge(m))
    if (v.against->kind == bar_kind::ratio || v.against->kind == bar_kind::nanoseconds)
      limits += fmt::format("{} {}", v.met() ? "≤" : "MISSED", spoken(*v.against, v.against->limit));
  const counts& c = m.cost;
  fmt::print(
      columns, m.name, spoken_time(m.time), m.unit, m.floor ? spoken_time(*m.floor) : "–", m.best_floor,
      m.floor ? fmt::format("{:.2f}", *m.ratio()) : "–", limits, spoken_count(c.minor_faults),
      spoken_count(c.major_faults), spoken_bytes(c.device_bytes), spoken_bytes(c.read_bytes),
      spoken_count(c.system_calls),
      c.allocations == 0 ? "0" : fmt::format("{} ({})", spoken_count(c.allocations), spoken_bytes(c.allocated_bytes)));
  if (m.reference != 0)
    fmt::print("{:<31} {:>9} the reference implementation, elsewhere: {:.3g} × this\n", "", spoken_time(m.reference),
               m.reference / m.time);
  for (const verdict& v : judge(m))
    if (v.against->kind == bar_kind::value || v.against->kind == bar_kind::allocations)
      fmt::print("{:<31} {:>9} {}, bar {}: {}\n", "", spoken(*v.against, v.measured),
                 v.against->kind == bar_kind::value ? m.value_name : "in the run", spoken(*v.against, v.against->limit),
                 v.met() ? "met" : "MISSED");
  std::fflush(stdout);
}

void table_reporter::summary(const std::vector<finished_row>& rows) const {
  int met = 0, missed = 0, failed = 0;
  for (const finished_row& row : rows) {
    if (!row.error.empty()) ++failed;
    if (row.error.empty())
      for (const verdict& v : judge(row.measured)) ++(v.met() ? met : missed);
  }
  fmt::print(
      "\nTimes are those of one unit, the least of all rounds; counts are those of one run. {} bars met, {} missed; "
      "{} rows not measured.\n",
      met, missed, failed);
}

void json_reporter::row(const finished_row& row) const {
  const outcome& m = row.measured;
  nlohmann::ordered_json out{{"name", m.name}, {"unit", m.unit}, {"compiler", tgmap::get_build_info().compiler}};
  if (!row.error.empty()) {
    out["error"] = row.error;
    fmt::print("{}\n", out.dump());
    return;
  }
  out["units"] = m.units;
  out["time_ns"] = m.time;
  if (m.floor) {
    out["floor_ns"] = *m.floor;
    out["floor"] = m.best_floor;
    out["ratio"] = *m.ratio();
    if (m.one_thread_floor) out["ratio_one_thread"] = m.time / *m.one_thread_floor;
  }
  for (const auto& [floor, time] : m.floors) out["floors_ns"][floor] = time;
  if (m.reference != 0) out["reference_ns"] = m.reference;
  if (m.value) {
    out["value"] = *m.value;
    out["value_is"] = m.value_name;
  }
  const counts& c = m.cost;
  out["run"] = {{"minor_faults", c.minor_faults},
                {"major_faults", c.major_faults},
                {"device_bytes", c.device_bytes},
                {"read_bytes", c.read_bytes},
                {counts_every_system_call() ? "system_calls" : "read_calls", c.system_calls},
                {"allocations", c.allocations},
                {"allocated_bytes", c.allocated_bytes},
                {"live_bytes", c.live_bytes}};
  for (const verdict& v : judge(m))
    out["bars"].push_back(
        {{"of", name(v.against->kind)}, {"limit", v.against->limit}, {"measured", v.measured}, {"met", v.met()}});
  fmt::print("{}\n", out.dump());
}

}  // namespace tgmap_bench
