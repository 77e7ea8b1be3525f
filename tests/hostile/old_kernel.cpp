// SPDX-License-Identifier: Apache-2.0
// Simulates a kernel older than MADV_POPULATE_READ for the tests of prefetch.
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <support/numbered.hpp>
#include <support/temporary.hpp>

namespace {

int refused = 0;

}  // namespace

extern "C" int madvise(void*, std::size_t, int) noexcept {
  ++refused;
  errno = EINVAL;
  return -1;
}

BOOST_AUTO_TEST_CASE(the_refused_calls_were_made) {
  using namespace tgmap_test;
  const temporary_directory temporary;
  const tgmap::archive archive(temporary.file("a.tgm", several(0, 3, 10000)), {.io = tgmap::io_mode::map});
  const int before = refused;
  BOOST_TEST(!archive.prefetch(archive[1][0]));
  BOOST_TEST(refused == before + 1);
}
