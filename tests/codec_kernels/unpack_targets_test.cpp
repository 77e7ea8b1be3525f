// SPDX-License-Identifier: Apache-2.0
// Every kernel that this machine can run, not only the one it would choose.
#include <hwy/targets.h>
#include <boost/test/unit_test.hpp>
#include <codec_kernels/unpacked.hpp>

BOOST_AUTO_TEST_SUITE(unpack_targets_test)

namespace {

void choose(std::int64_t targets) {
  hwy::SetSupportedTargetsForTest(targets);  // 0: all again
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_instruction_set) {
  const auto all = hwy::SupportedAndGeneratedTargets();
  BOOST_TEST(!all.empty());
  for (const std::int64_t target : all) {
    choose(target);
    tgmap_test::check_unpacking(tgmap::codec::unpack, hwy::TargetName(target));
  }
  choose(0);
}

BOOST_AUTO_TEST_SUITE_END()
