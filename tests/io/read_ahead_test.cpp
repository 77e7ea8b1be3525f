// SPDX-License-Identifier: Apache-2.0
// A scan requests each boundary that it predicts exactly once, and never beyond the end.
#include "io/read_ahead.hpp"

#include <fcntl.h>
#include <sys/syscall.h>

#include <vector>

#include "files.hpp"

using namespace tgmap_test;
using tgmap::io::read_ahead;
using tgmap::io::source;

BOOST_AUTO_TEST_SUITE(read_ahead_test)

namespace {

constexpr std::uint64_t before = 16, behind = 24;

struct request {
  std::uint64_t at, size;
  bool operator==(const request&) const = default;
};

std::vector<request> requests;

int noted(int descriptor, off_t at, off_t size, int advice) noexcept {
  if (advice == POSIX_FADV_WILLNEED)
    requests.push_back({static_cast<std::uint64_t>(at), static_cast<std::uint64_t>(size)});
  return static_cast<int>(::syscall(SYS_fadvise64, descriptor, at, size, advice));
}

/// A source of a size, and a scan of it that requests at every boundary.
struct scan {
  explicit scan(std::size_t size, std::uint64_t offset = 0)
      : file(size + offset), in(source_of(file.path, {.io = tgmap::io_mode::read, .offset = offset})) {
    requests.clear();
  }
  patterned_file file;
  std::unique_ptr<source> in;
  read_ahead ahead{*in, before, behind};
  std::uint64_t border = 0;

  /// Advances to the next boundary; returns true if it was requested.
  bool hop(std::uint64_t length) {
    const bool expect_requested = ahead.add(length);
    border += length;
    ahead.request(border);
    return expect_requested;
  }
  static request around(std::uint64_t at) { return {at - before, before + behind}; }
};

}  // namespace

// Replaces the system's function for this executable, with the library that is linked into it.
extern "C" {
int posix_fadvise(int descriptor, off_t at, off_t size, int advice) noexcept {
  return noted(descriptor, at, size, advice);
}
int posix_fadvise64(int descriptor, off_t at, off_t size, int advice) noexcept {
  return noted(descriptor, at, size, advice);
}
}

BOOST_AUTO_TEST_CASE(nothing_is_requested_before_lengths_repeat) {
  scan of(100'000);
  for (const std::uint64_t length : {100u, 300u, 200u, 700u, 400u}) BOOST_TEST(!of.hop(length));
  BOOST_TEST(requests.empty());
}

BOOST_AUTO_TEST_CASE(each_border_is_requested_once_and_in_order) {
  scan of(100'000);
  BOOST_TEST(!of.hop(1000));
  BOOST_TEST(requests.empty());
  BOOST_TEST(!of.hop(1000));
  BOOST_TEST((requests == std::vector{scan::around(3000)}));
  for (unsigned n = 3; n <= 40; ++n) BOOST_TEST(of.hop(1000));
  BOOST_REQUIRE(requests.size() > 40u);
  for (std::size_t k = 0; k < requests.size(); ++k) BOOST_TEST((requests[k] == scan::around(1000 * (k + 3))));
}

BOOST_AUTO_TEST_CASE(requests_grow_while_predictions_are_right) {
  scan of(1'000'000);
  std::size_t ahead = 0;
  for (unsigned n = 1; n <= 40; ++n) {
    of.hop(1000);
    const std::size_t now = requests.size() + 2 - std::min<std::size_t>(requests.size() + 2, n);
    BOOST_TEST(now >= ahead);
    ahead = now;
  }
  BOOST_TEST(ahead == 32u);
}

BOOST_AUTO_TEST_CASE(cycles_are_requested_one_by_one) {
  scan of(1'000'000);
  const std::uint64_t cycle[] = {500, 700, 900};
  for (unsigned n = 0; n < 6; ++n) BOOST_TEST(!of.hop(cycle[n % 3]));
  for (unsigned n = 6; n < 30; ++n) BOOST_TEST(of.hop(cycle[n % 3]));
  std::uint64_t border = 4200;
  for (std::size_t k = 0; k < requests.size(); ++k) BOOST_TEST((requests[k] == scan::around(border += cycle[k % 3])));
}

BOOST_AUTO_TEST_CASE(another_length_stops_requests_until_lengths_repeat) {
  scan of(1'000'000);
  for (unsigned n = 0; n < 10; ++n) of.hop(1000);
  const std::size_t asked = requests.size();
  BOOST_TEST(!of.hop(1234));
  BOOST_TEST(requests.size() == asked);
  BOOST_TEST(!of.hop(800));
  BOOST_TEST(!of.hop(800));
  BOOST_REQUIRE(requests.size() == asked + 1);
  BOOST_TEST((requests.back() == scan::around(of.border + 800)),
             "from where the scan is, not from where it was foretold");
}

BOOST_AUTO_TEST_CASE(nothing_is_requested_at_the_end_or_beyond) {
  scan of(10'000 + behind);
  for (unsigned n = 1; n <= 10; ++n) of.hop(1000);
  BOOST_REQUIRE(!requests.empty());
  BOOST_TEST((requests.back() == scan::around(10'000)), "there is just enough behind that border");

  scan shorter(10'000 + behind - 1);
  for (unsigned n = 1; n <= 10; ++n) shorter.hop(1000);
  BOOST_TEST((requests.back() == scan::around(9000)));
}

BOOST_AUTO_TEST_CASE(nothing_is_requested_without_need) {
  scan of(100'000);
  for (unsigned n = 0; n < 10; ++n) BOOST_TEST(!of.ahead.add(1000));
  BOOST_TEST(requests.empty());
  of.ahead.request(10'000);
  BOOST_REQUIRE(!requests.empty());
  BOOST_TEST((requests.front() == scan::around(11'000)));
}

BOOST_AUTO_TEST_CASE(an_archive_within_a_file_is_requested_at_its_offset) {
  scan of(100'000, 5000);
  of.hop(1000);
  of.hop(1000);
  BOOST_TEST((requests == std::vector{request{5000 + 3000 - before, before + behind}}));
}

BOOST_AUTO_TEST_CASE(sources_in_memory_request_nothing) {
  const bytes data = patterned(100'000);
  const auto in = source_of(data);
  requests.clear();
  read_ahead ahead(*in, before, behind);
  ahead.add(1000);
  ahead.add(1000);
  ahead.request(2000);
  BOOST_TEST(requests.empty());
}

BOOST_AUTO_TEST_SUITE_END()
