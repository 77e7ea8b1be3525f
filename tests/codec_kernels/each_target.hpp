// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hwy/targets.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>

namespace tgmap_test {

/// Calls with the name of every instruction set that this machine can run, while it is the one that is chosen.
template <class Check>
void for_each_target(Check check) {
  const auto choose = [](std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  };
  const auto all = hwy::SupportedAndGeneratedTargets();
  BOOST_TEST(!all.empty());
  for (const std::int64_t target : all) {
    choose(target);
    check(hwy::TargetName(target));
  }
  choose(0);  // all again
}

}  // namespace tgmap_test
