// SPDX-License-Identifier: Apache-2.0
// With a guard, scans read structure in the mapping: also of large messages, and of files that shrink meanwhile.
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/temporary.hpp>

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(guarded_scan_test)

namespace {

constexpr tgmap::open_options map_mode{.io = tgmap::io_mode::map};

/// Messages of equal size, one after another.
bytes repeated_messages(unsigned count, std::size_t size) {
  std::vector<bytes> ten;
  for (unsigned n = 0; n < 10; ++n) ten.push_back(numbered(n, 3, size));
  bytes out;
  for (unsigned n = 0; n < count; ++n) out += ten[n % 10];
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(messages_of_every_size_are_found) {
  const temporary_directory temporary;
  for (const std::size_t size : {100u, 5'000u, 30'000u, 600'000u}) {
    const unsigned count = size > 100'000 ? 70 : 300;
    const tgmap::archive archive(temporary.file("a.tgm", repeated_messages(count, size)), map_mode);
    BOOST_TEST(archive.size() == count);
    for (std::size_t i = 0; i < count; i += 7) BOOST_TEST(archive[i].length() == archive[0].length());
    BOOST_TEST(sound(archive.back()));
  }
}

BOOST_AUTO_TEST_CASE(a_scan_of_a_file_that_shrank_ends_where_it_ends) {
  const temporary_directory temporary;
  for (const std::size_t size : {1'000u, 30'000u}) {
    const bytes data = repeated_messages(400, size);
    const auto path = temporary.file("a.tgm", data);
    const tgmap::archive archive(path, map_mode);
    tgmap::failure why;
    archive.scan(data.size() / 3, {}, why);
    TGMAP_SUCCEEDED(why);
    const std::size_t known = archive.scan_progress().messages;
    BOOST_TEST(known > 64u);
    BOOST_TEST(known < 300u);
    std::filesystem::resize_file(path, data.size() / 4 * 3);
    archive.scan(UINT64_MAX, {}, why);
    TGMAP_FAILED(why, errc::file_shrank);
    BOOST_TEST(archive.scan_progress().messages >= known);
    BOOST_TEST(archive.scan_progress().scanned_bytes <= data.size() / 4 * 3);
    BOOST_TEST(!archive.scan_progress().is_complete);

    write_file(path, data);
    archive.scan(UINT64_MAX, {}, why);
    TGMAP_SUCCEEDED(why);
    BOOST_TEST(archive.size() == 400u);
  }
}

BOOST_AUTO_TEST_SUITE_END()
