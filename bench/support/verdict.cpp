// SPDX-License-Identifier: Apache-2.0
#include "support/verdict.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

namespace tgmap_bench {

namespace {

std::optional<double> measured(const outcome& row, bar_kind kind) {
  switch (kind) {
    case bar_kind::ratio: return row.ratio();
    case bar_kind::nanoseconds: return row.time;
    case bar_kind::value: return row.value;
    case bar_kind::allocations: return static_cast<double>(row.cost.allocations);
  }
  return std::nullopt;
}

/// Returns the first bar of each kind whose pattern matches the name.
std::vector<const bar*> bars_of(const std::string& row) {
  std::vector<const bar*> out;
  std::set<bar_kind> seen;
  for (const bar& each : bars)
    if (::fnmatch(std::string(each.rows).c_str(), row.c_str(), 0) == 0 && seen.insert(each.kind).second)
      out.push_back(&each);
  return out;
}

bool holds_at_gate(const bar* b) { return b->kind == bar_kind::ratio && b->at_gate == gate::holds; }

}  // namespace

bool verdict::passes_gate() const { return !holds_at_gate(against) || measured <= gate_factor * against->limit; }

std::vector<verdict> judge(const outcome& row) {
  std::vector<verdict> out;
  for (const bar* each : bars_of(row.name))
    if (const auto number = measured(row, each->kind)) out.push_back({each, *number});
  return out;
}

bool is_gated(const std::string& row) { return std::ranges::any_of(bars_of(row), holds_at_gate); }

}  // namespace tgmap_bench
