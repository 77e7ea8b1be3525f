// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bars.hpp"
#include "support/contest.hpp"

namespace tgmap_bench {

/// An outcome held against one bar.
struct verdict {
  const bar* against;
  double measured;
  bool met() const { return measured <= against->limit; }
  /// Beyond twice a bar of the gate: more than noise explains. Times without a floor tell as much of the machine as of
  /// the library; counts have no noise and are tests elsewhere.
  bool far_off() const { return against->gate && measured > 2 * against->limit; }
};

std::vector<verdict> judge(const outcome&);

/// Checks whether the gate holds a bar against the row of that name.
bool is_gated(const std::string& row);

}  // namespace tgmap_bench
