// SPDX-License-Identifier: Apache-2.0
// Opening an archive, scanning it and visiting all of its structure takes memory and reads in proportion to its bytes,
// whatever they are.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/forged/hostile.hpp>
#include <support/process/read_bytes.hpp>
#include <support/samples.hpp>
#include <support/visit.hpp>

#include <support/process/heap_meter.hpp>
#include "archive/archive_state.hpp"
#include "archive/segments.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(bounded_test)

namespace {

constexpr std::size_t kib = 1024, largest = 64 * kib;

/// Memory that any archive takes, however small: its state, the first segments of the message table and of the object
/// cache, and a page each for objects and for a search.
constexpr std::size_t fixed = sizeof(tgmap::detail::archive_state) + sizeof(tgmap::io::source) +
                              tgmap::detail::segments::size(0) * (16 + 8) + 4 * kib + 4 * kib;

/// Opens the bytes in each way, and calls `body` with a function that does.
template <class F>
void each_way(const bytes& data, F&& body) {
  const temporary_directory temporary;
  const auto path = temporary.file("a.tgm", data);
  tgmap::failure why;
  for (const auto mode : {tgmap::io_mode::read, tgmap::io_mode::map})
    body([&] { return tgmap::archive::open(path, {.io = mode, .damage = tgmap::on_damage::skip}, why); });
  body([&] { return tgmap::archive::from_memory(span_of(data), {.damage = tgmap::on_damage::skip}, why); });
}

template <class F>
void of_every_hostile_shape(F&& body) {
  for (const auto* shapes : {&hostile_to_scans(), &hostile_to_visits()})
    for (const auto& [what, make] : *shapes) BOOST_TEST_CONTEXT(what) {
        body(make);
      }
}

/// Returns the number of bytes read to open a file and visit all of it.
template <class Make>
std::uint64_t read_of(const Make& make, std::size_t size, tgmap::io_mode mode) {
  const temporary_directory temporary;
  const auto path = temporary.file("a.tgm", make(size));
  const std::uint64_t before = bytes_read();
  visit_all(tgmap::archive(path, {.io = mode, .damage = tgmap::on_damage::skip}));
  return bytes_read() - before;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_heap_meter_counts) {
  // volatile, so that the compiler does not remove it.
  watch_heap();
  void* volatile taken = ::operator new(100'000);
  ::operator delete(taken);
  BOOST_TEST(heap_peak() >= 100'000u);
  watch_heap();
  taken = std::calloc(1000, 1000);
  std::free(taken);
  BOOST_TEST(heap_peak() >= 1'000'000u);
  watch_heap();
  BOOST_TEST(heap_peak() == 0u);
}

BOOST_AUTO_TEST_CASE(hostile_archives_have_the_stated_content) {
  std::size_t objects = 0;
  for (const auto& [what, make] : hostile_to_visits()) {
    const bytes data = make(largest);
    BOOST_TEST(data.size() > largest / 2);
    BOOST_TEST(data.size() < 2 * largest);
    objects += visit_all(tgmap::archive::from_memory(span_of(data), {.damage = tgmap::on_damage::skip}));
  }
  BOOST_TEST(objects > 4000u);
}

// Counts memory as malloc reserves it, touched or not: at most four times the bytes.
BOOST_AUTO_TEST_CASE(memory_stays_within_four_times_the_bytes) {
  of_every_hostile_shape([](const auto& make) {
    // The sizes are so close that every growth by doubling is seen at its peak.
    for (std::size_t size = kib; size <= largest; size += size / 8) {
      const bytes data = make(size).substr(0, largest);
      each_way(data, [&](const auto& open) {
        watch_heap();
        visit_all(open());
        BOOST_REQUIRE(heap_peak() <= 4 * data.size() + fixed);
      });
    }
  });
}

// The path cache stays within its limit for any number of lookups.
BOOST_AUTO_TEST_CASE(the_path_cache_stays_within_its_capacity) {
  message_spec spec;
  for (unsigned n = 0; n < 20; ++n) spec.objects.push_back(bytes_object("payload"));
  for (const std::size_t size : {2 * kib, 16 * kib, 64 * kib}) {
    spec.extra = {cbor::key("a", cbor::text(bytes(size, 'x')))};
    const bytes data = message(spec);
    std::vector<std::string> paths;
    for (unsigned i = 0; i < 2000; ++i) paths.push_back(std::to_string(i) + bytes(i % 100, 'p'));
    watch_heap();
    const auto archive = tgmap::archive::from_memory(span_of(data));
    for (std::size_t i = 0; i < paths.size(); ++i) (void)archive[0][i % 20].metadata().find(paths[i]);
    BOOST_TEST(heap_peak() <= 4 * data.size() + fixed);
  }
}

// For an archive four times as large, four times as much is read, and a few pages.
BOOST_AUTO_TEST_CASE(reads_are_proportional_to_the_bytes) {
  if (bytes_read() == 0) {
    BOOST_TEST_MESSAGE("SKIPPED: bytes read by a visit (the system does not count)");
    return;
  }
  of_every_hostile_shape([](const auto& make) {
    for (const auto mode : {tgmap::io_mode::read, tgmap::io_mode::map}) {
      const std::uint64_t few = read_of(make, 4 * largest, mode), many = read_of(make, 16 * largest, mode);
      BOOST_TEST(many <= 5 * few + 64 * kib);
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()
