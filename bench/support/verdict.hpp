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
  /// Off by more than noise explains: beyond twice its bar, measured beside a floor. Times alone tell as much of the
  /// machine as of the library; counts have no noise and are tests elsewhere.
  bool far_off() const { return against->kind == bar_kind::ratio && measured > 2 * against->limit; }
};

std::vector<verdict> judge(const outcome&);

}  // namespace tgmap_bench
