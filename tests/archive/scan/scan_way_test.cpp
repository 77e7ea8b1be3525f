// SPDX-License-Identifier: Apache-2.0
// A scan takes the way that costs less, whatever a clock says.
#include "archive/scan/scan_way.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <support/numbered.hpp>
#include <support/temporary.hpp>
#include <tgmap/mapping_guard.hpp>

#include "../archive_fixture.hpp"
#include "archive/scan/sequential_scan.hpp"

using namespace tgmap_test;
using inner::scan_way;
using inner::way_choice;

BOOST_AUTO_TEST_SUITE(scan_way_test)

namespace {

/// Nanoseconds of a hop.
struct machine {
  std::uint64_t read = 0, fault = 0;
  std::uint64_t of(scan_way way) const { return way == scan_way::reads ? read : fault; }
};

/// Lets `way` scan so many messages. Returns the number of those that were reached by the mapping.
std::uint64_t scan(way_choice& way, std::uint64_t messages, const machine& on) {
  std::uint64_t mapped = 0;
  while (messages > 0) {
    const scan_way now = way.next();
    const std::uint64_t hops = std::min({messages, way.max_messages(), std::uint64_t{512}});
    way.add(now, hops, hops * on.of(now));
    if (now == scan_way::mapping) mapped += hops;
    messages -= hops;
  }
  return mapped;
}

constexpr machine quick_faults{.read = 600, .fault = 300}, slow_faults{.read = 350, .fault = 3000};
constexpr std::uint64_t first_hops = 2 * way_choice::turns * way_choice::hops_of_turn;

}  // namespace

BOOST_AUTO_TEST_CASE(the_first_hundred_hops_decide) {
  static_assert(first_hops <= 100);
  for (const machine& on : {quick_faults, slow_faults}) {
    way_choice way;
    scan(way, first_hops - way_choice::hops_of_turn, on);
    BOOST_TEST(!way.is_decided());
    scan(way, way_choice::hops_of_turn, on);
    BOOST_TEST(way.is_decided());
    BOOST_TEST((way.next() == (on.fault < on.read ? scan_way::mapping : scan_way::reads)));
  }
}

BOOST_AUTO_TEST_CASE(a_scan_costs_little_more_than_the_better_way) {
  for (const machine& on : {quick_faults, slow_faults})
    for (const std::uint64_t messages : {10'000u, 60'000u, 1'000'000u}) {
      way_choice way;
      const std::uint64_t mapped = scan(way, messages, on);
      const double cost = static_cast<double>(mapped * on.fault + (messages - mapped) * on.read);
      BOOST_TEST(cost < 1.1 * static_cast<double>(messages * std::min(on.read, on.fault)));
    }
}

BOOST_AUTO_TEST_CASE(one_interruption_changes_nothing) {
  way_choice way;
  for (std::size_t turn = 0; turn < 2 * way_choice::turns; ++turn) {
    const std::uint64_t lost = turn == 5 ? 4'000'000 : 0;  // a turn of the mapping
    way.add(way.next(), way_choice::hops_of_turn, way_choice::hops_of_turn * quick_faults.of(way.next()) + lost);
  }
  BOOST_TEST((way.next() == scan_way::mapping));
}

BOOST_AUTO_TEST_CASE(the_other_way_is_tried_again) {
  way_choice way;
  scan(way, 1000, slow_faults);
  BOOST_TEST((way.next() == scan_way::reads));
  // The page cache has larger blocks from here on.
  const std::uint64_t mapped = scan(way, 10'000, quick_faults);
  BOOST_TEST(mapped > 8000U);
  const std::uint64_t again = scan(way, 100'000, slow_faults);
  BOOST_TEST(again < 20'000U);
}

BOOST_AUTO_TEST_CASE(pages_that_are_not_cached_end_the_mapping_after_one_batch) {
  way_choice way;
  scan(way, 1000, quick_faults);
  BOOST_TEST((way.next() == scan_way::mapping));
  const std::uint64_t hops = way.max_messages();
  BOOST_TEST(hops <= way_choice::hops_of_batch);
  way.add(scan_way::mapping, hops, hops * 100'000);
  BOOST_TEST(!way.is_decided());
  BOOST_TEST((way.next() == scan_way::reads));
}

BOOST_AUTO_TEST_CASE(no_batch_is_endless) {
  way_choice way;
  for (int i = 0; i < 1000; ++i) {
    BOOST_TEST_REQUIRE(way.max_messages() > 0U);
    BOOST_TEST_REQUIRE(way.max_messages() <= way_choice::max_interval);
    way.add(way.next(), 0, 1);  // nothing was added
    way.add(way.next(), std::min<std::uint64_t>(way.max_messages(), 1 + i % 64), UINT32_MAX);
  }
}

// The scan of a file, by a clock that says what a hop costs.

namespace {

/// The clock is read before and after each batch, and batches of both ways take turns until one is chosen.
struct fake_clock {
  static inline std::uint64_t now = 0, calls = 0, read_turn = 0, mapped_turn = 0;

  static std::uint64_t read() noexcept {
    const std::uint64_t call = calls++;
    if (call % 2 != 0) now += call / 2 % 2 == 0 ? read_turn : mapped_turn;
    return now;
  }
  fake_clock(std::uint64_t read_cost, std::uint64_t mapped_cost) {
    now = calls = 0;
    read_turn = read_cost;
    mapped_turn = mapped_cost;
    inner::scan_clock = &read;
  }
  ~fake_clock() { inner::scan_clock = &inner::steady_nanoseconds; }
  fake_clock(const fake_clock&) = delete;
};

constexpr std::size_t message_count = 6000, message_length = 32 << 10;

/// Writes messages that are far apart, mostly holes.
std::filesystem::path make_file(const temporary_directory& here) {
  const auto path = here / "far_apart.tgm";
  bytes head = bytes(24, '\0'), tail = bytes(24, '\0');
  namespace wire = tgmap::wire;
  auto* const to = reinterpret_cast<std::byte*>(head.data());
  std::memcpy(to, wire::message_magic.data(), 8);
  wire::store_be(to + 8, std::uint64_t{3} << 48);
  wire::store_be(to + 16, std::uint64_t{message_length});
  auto* const end = reinterpret_cast<std::byte*>(tail.data());
  wire::store_be(end + 8, std::uint64_t{message_length});
  std::memcpy(end + 16, wire::end_magic.data(), 8);
  std::ofstream out(path, std::ios::binary);
  for (std::size_t i = 0; i < message_count; ++i) {
    out.seekp(static_cast<std::streamoff>(i * message_length)).write(head.data(), 24);
    out.seekp(static_cast<std::streamoff>((i + 1) * message_length - 24)).write(tail.data(), 24);
  }
  return path;
}

}  // namespace

BOOST_AUTO_TEST_CASE(both_ways_find_the_same_messages) {
  const temporary_directory here;
  const auto path = make_file(here);
  BOOST_REQUIRE(!tgmap::mapping_guard::install());
  for (const bool reads_are_cheaper : {false, true}) {
    const fake_clock clock(reads_are_cheaper ? 1000 : 8000, reads_are_cheaper ? 8000 : 1000);
    const tgmap::archive archive(path);
    BOOST_TEST(archive.size() == message_count);
    BOOST_TEST(archive.gaps().empty());
    for (const std::size_t i : {0u, 63u, 64u, 100u, 1000u, 5999u})
      BOOST_TEST(archive[i].offset() == i * message_length);
    // A batch by reads has up to 512 messages, one through the mapping 64; the clock is read twice for each.
    if (reads_are_cheaper)
      BOOST_TEST((fake_clock::calls > 2 * 2 * way_choice::turns && fake_clock::calls < 100));
    else
      BOOST_TEST(fake_clock::calls > 2 * message_count / way_choice::hops_of_batch / 2);
  }
}

BOOST_AUTO_TEST_CASE(short_and_unmapped_archives_are_not_measured) {
  const temporary_directory here;
  const auto path = make_file(here);
  const fake_clock clock(1000, 1000);
  BOOST_TEST(tgmap::archive(path, {.io = tgmap::io_mode::read}).size() == message_count);
  BOOST_TEST(tgmap::archive(path, {.guard = tgmap::guard_use::never}).size() == message_count);
  BOOST_TEST(tgmap::archive(path, {.length = 2000 * message_length}).size() == 2000U);
  BOOST_TEST(fake_clock::calls == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
