// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "bars.hpp"
#include "support/contest.hpp"

namespace tgmap_bench {

/// An outcome held against one bar.
struct verdict {
  const bar* against;
  double measured;
  bool met() const { return measured <= against->limit; }
  /// Off by more than noise explains: a time beyond twice its bar. Counts have no noise and are tests elsewhere.
  bool far_off() const {
    const bool is_time = against->kind == bar_kind::ratio || against->kind == bar_kind::nanoseconds;
    return is_time && measured > 2 * against->limit;
  }
};

std::vector<verdict> judge(const outcome&);

}  // namespace tgmap_bench
