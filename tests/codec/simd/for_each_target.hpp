// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hwy/targets.h>

#include <boost/test/unit_test.hpp>
#include <cstdint>

#include "codec/simd/cpu_targets.hpp"

namespace tgmap_test {

/// Calls a function with the name of every instruction set of this machine, and makes it the best one allowed
/// meanwhile. The last one is the baseline.
template <class Check>
void for_each_target(Check check) {
  constexpr std::int64_t all = ~std::int64_t{0};
  tgmap::codec::limit_cpu_targets(all);
  for (std::int64_t left = tgmap::codec::cpu_targets(); left != 0; left &= left - 1) {
    tgmap::codec::limit_cpu_targets(left);
    BOOST_TEST(tgmap::codec::cpu_targets() == left);
    check(hwy::TargetName(left & -left));
  }
  tgmap::codec::limit_cpu_targets(0);
  BOOST_TEST(tgmap::codec::cpu_targets() == 0);
  check("every machine");
  tgmap::codec::limit_cpu_targets(all);
}

}  // namespace tgmap_test
