// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bars.hpp"
#include "support/contest.hpp"

namespace tgmap_bench {

/// An outcome compared with one bar.
struct verdict {
  const bar* against;
  double measured;
  bool met() const { return measured <= against->limit; }
  bool passes_gate() const;
};

std::vector<verdict> judge(const outcome&);

/// Returns true if the gate checks the row of that name.
bool is_gated(const std::string& row);

}  // namespace tgmap_bench
