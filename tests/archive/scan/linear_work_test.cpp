// SPDX-License-Identifier: Apache-2.0
// A scan reads each byte a few times at most, whatever the bytes are.
#include <support/forged/hostile.hpp>
#include <support/numbered.hpp>
#include <support/process/read_bytes.hpp>
#include <support/temporary.hpp>

#include "../archive_fixture.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(linear_work_test)

namespace {

constexpr std::size_t kib = 1024, mib = 1024 * kib;

}  // namespace

BOOST_AUTO_TEST_CASE(a_scan_reads_each_byte_a_few_times_at_most) {
  if (bytes_read() == 0) {
    BOOST_TEST_MESSAGE("the system does not count");
    return;
  }
  const temporary_directory temporary;
  for (const auto& [what, make] : hostile_to_scans())
    for (const std::size_t size : {64 * kib, 1 * mib, 8 * mib}) {
      const bytes data = make(size);
      const tgmap::archive archive(temporary.file("hostile.tgm", data),
                                   {.io = tgmap::io_mode::read, .damage = tgmap::on_damage::skip});
      const std::uint64_t before = bytes_read();
      tgmap::failure why;
      BOOST_TEST_CONTEXT(what << ", " << size / kib << " KiB") {
        BOOST_TEST(archive.scan(UINT64_MAX, {}, why).is_complete);
        TGMAP_SUCCEEDED(why);
        BOOST_TEST(bytes_read() - before <= 8 * data.size() + mib / 2);
      }
    }
}

// Reads in place cannot be counted; but quadratic work would take hours here.
BOOST_AUTO_TEST_CASE(sixty_four_mebibytes_take_seconds) {
  for (const auto& [what, make] : hostile_to_scans()) {
    const bytes data = make(64 * mib);
    const auto archive = open_skipping(data);
    BOOST_TEST_CONTEXT(what) { BOOST_TEST(archive.scan().is_complete); }
  }
}

BOOST_AUTO_TEST_SUITE_END()
