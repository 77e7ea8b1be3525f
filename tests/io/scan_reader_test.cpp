// SPDX-License-Identifier: Apache-2.0
// Reads of a scan: the right bytes, few of them if they are far apart, many at once if they are close.
#include "io/scan_reader.hpp"

#include "files.hpp"
#include "io/window.hpp"

using namespace tgmap_test;
using tgmap::failure;
using tgmap::io::margin;
using tgmap::io::scan_reader;
using tgmap::io::window;

BOOST_AUTO_TEST_SUITE(scan_reader_test)

namespace {

constexpr std::size_t mib = 1 << 20;

/// A file that is read, and a reader of it.
struct scanned : patterned_file {
  using patterned_file::patterned_file;
  std::unique_ptr<tgmap::io::source> in = source_of(path, {.io = tgmap::io_mode::read});
  scan_reader reader{*in};
  std::uint64_t read = 0;  ///< bytes read, as far as the results show
  std::pair<std::uint64_t, std::size_t> last{}, held{};

  /// Reads at an offset; returns how many bytes came with it.
  std::size_t look(std::uint64_t offset, std::size_t size, margin more = {}) {
    std::uint64_t begin = 0;
    failure why;
    const auto seen = reader.fill(offset, size, more, begin, why);
    TGMAP_SUCCEEDED(why);
    const std::pair window(begin, seen.size());
    if (window != last && window != held) read += seen.size();
    last = window;
    if (seen.size() > scan_reader::small_size) held = window;  // stays held during reads elsewhere
    BOOST_REQUIRE(begin <= offset);
    BOOST_REQUIRE(begin + seen.size() >= offset + size);
    BOOST_REQUIRE(shows(seen, data, begin, seen.size()));
    return seen.size();
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(reads_anywhere_return_the_bytes_of_the_source) {
  scanned file(3 * mib);
  window look(*file.in, file.reader);
  std::mt19937 random(1);
  std::uint64_t at = 0;
  for (unsigned round = 0; round < 20000; ++round) {
    switch (random() % 8) {
      case 0: at = random() % file.data.size(); break;
      case 1: at -= std::min<std::uint64_t>(at, random() % 5000); break;
      default: at = (at + random() % 3000) % file.data.size();
    }
    const std::size_t size = random() % (std::min<std::size_t>(window::largest, file.data.size() - at) + 1);
    failure why;
    const auto seen = look.at(at, size, why, {.before = random() % 100, .after = random() % 5000});
    TGMAP_SUCCEEDED(why);
    BOOST_REQUIRE(shows(seen, file.data, at, size));
  }
}

BOOST_AUTO_TEST_CASE(reads_far_apart_read_only_their_bytes) {
  scanned file(4 * mib);
  for (std::uint64_t at = 0; at + 40 < file.data.size(); at += 200'000) BOOST_TEST(file.look(at, 40) == 40u);
  BOOST_TEST(file.look(1000, 40, {.before = 10, .after = 100}) == 150u);
  BOOST_TEST(file.look(4096 * 600, 40, {.before = 10, .after = 100}) == 140u, "what is before lies on another page");
}

BOOST_AUTO_TEST_CASE(sequential_reads_grow) {
  scanned file(4 * mib);
  std::size_t before = file.look(0, 40), fills = 0;
  std::uint64_t end = before;
  for (std::uint64_t at = 1000; at + 40 < file.data.size(); at += 1000) {
    if (at + 40 <= end) continue;
    const std::size_t now = file.look(at, 40);
    if (at + now < file.data.size()) BOOST_TEST(now >= std::min(before, scan_reader::large_size));
    BOOST_TEST(now <= scan_reader::large_size);
    end = at + now;
    before = now;
    ++fills;
  }
  BOOST_TEST(fills <= 24u);
}

BOOST_AUTO_TEST_CASE(a_read_far_away_keeps_the_buffer) {
  scanned file(4 * mib);
  for (std::uint64_t at = 0; at < 100'000; at += 5000) file.look(at, 40);
  BOOST_TEST(file.look(3 * mib, 40) == 40u);
  std::filesystem::resize_file(file.path, 0);
  BOOST_TEST(file.look(95'000, 40) > 4096u);
}

BOOST_AUTO_TEST_CASE(alternating_reads_are_bounded) {
  scanned file(mib);
  constexpr std::uint64_t rounds = 20'000;
  for (std::uint64_t n = 0; n < rounds; ++n) file.look(n * 5000 % (mib - 5000), 40);
  BOOST_TEST(file.read <= 4 * mib + 2 * scan_reader::large_size + rounds * 40);
}

BOOST_AUTO_TEST_CASE(requested_bytes_are_read_even_if_more_cannot) {
  scanned file(mib);
  for (std::uint64_t at = 0; at < 100'000; at += 1000) file.look(at, 40);
  std::filesystem::resize_file(file.path, 700'040);
  file.look(600'000, 40);
  file.look(604'000, 40);
  file.look(700'000, 40);
  std::uint64_t begin = 0;
  failure why;
  BOOST_TEST(file.reader.fill(700'001, 40, {}, begin, why).empty());
  TGMAP_FAILED(why, tgmap::errc::file_shrank);
  file.look(100'000, 40);
}

BOOST_AUTO_TEST_SUITE_END()
