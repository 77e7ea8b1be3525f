// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <tgmap/build_info.hpp>

#include "support/reporter.hpp"
#include "support/verdict.hpp"

namespace tgmap_bench {

namespace {

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
