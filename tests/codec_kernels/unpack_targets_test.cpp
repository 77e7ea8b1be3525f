// SPDX-License-Identifier: Apache-2.0
// Every kernel that this machine can run, not only the one it would choose.
#include <boost/test/unit_test.hpp>
#include <codec_kernels/each_target.hpp>
#include <codec_kernels/unpacked.hpp>

BOOST_AUTO_TEST_SUITE(unpack_targets_test)

BOOST_AUTO_TEST_CASE(every_instruction_set) {
  tgmap_test::for_each_target([](const char* target) { tgmap_test::check_unpacking(tgmap::codec::unpack, target); });
}

BOOST_AUTO_TEST_SUITE_END()
