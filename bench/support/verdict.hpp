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
  bool passes_gate() const;
};

std::vector<verdict> judge(const outcome&);

/// Checks whether the gate holds the row of that name to its bar.
bool is_gated(const std::string& row);

}  // namespace tgmap_bench
