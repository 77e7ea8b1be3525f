// SPDX-License-Identifier: Apache-2.0
#include "explain/thread_counters.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <support/shared_data.hpp>
#include <support/temporary.hpp>
#include <thread>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(thread_counters)

BOOST_AUTO_TEST_CASE(reads_are_counted_exactly) {
  const temporary_directory files;
  const auto path = files.file("f", std::string(10'000, 'x'));
  const int file = ::open(path.c_str(), O_RDONLY);
  tgmap::explain::thread_counters counters;
  if (!counters.counts_reads()) return say_skipped("reads", "the system does not count");
  char buffer[4096];
  for (const std::size_t size : {1u, 1000u, 4096u}) {
    counters.start();
    for (int i = 0; i < 3; ++i) BOOST_REQUIRE(::pread(file, buffer, size, 5) == static_cast<ssize_t>(size));
    const tgmap::access_cost cost = counters.stop();
    BOOST_TEST(cost.reads == 3u);
    BOOST_TEST(cost.bytes_read == 3 * size);
    BOOST_TEST(cost.nanoseconds > 0u);
  }
  counters.start();
  BOOST_TEST(counters.stop().reads == 0u);
  ::close(file);
}

BOOST_AUTO_TEST_CASE(faults_are_counted) {
  constexpr std::size_t pages = 64, size = pages * 4096;
  auto* const memory =
      static_cast<volatile char*>(::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ::madvise(const_cast<char*>(memory), size, MADV_NOHUGEPAGE);
  tgmap::explain::thread_counters counters;
  counters.start();
  for (std::size_t at = 0; at < size; at += 4096) memory[at] = 1;
  const tgmap::access_cost cost = counters.stop();
  BOOST_TEST(cost.minor_faults >= pages);
  counters.start();
  for (std::size_t at = 0; at < size; at += 4096) memory[at] = 2;
  BOOST_TEST(counters.stop().minor_faults < pages / 2);  // a sanitizer causes some itself
  ::munmap(const_cast<char*>(memory), size);
}

BOOST_AUTO_TEST_CASE(other_threads_do_not_count) {
  const temporary_directory files;
  const auto path = files.file("f", std::string(100'000, 'x'));
  tgmap::explain::thread_counters counters;
  if (!counters.counts_reads()) return say_skipped("reads", "the system does not count");
  counters.start();
  std::thread([&] { read_file(path); }).join();
  BOOST_TEST(counters.stop().bytes_read == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
