// SPDX-License-Identifier: Apache-2.0
// Memory that an archive with an index takes.
#include <malloc.h>

#include <boost/test/unit_test.hpp>
#include <fstream>
#include <stdexcept>
#include <string>
#include <support/process/heap_meter.hpp>
#include <support/selection_samples.hpp>

#include "indexed.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(bounded_index_test)

namespace {

/// Returns the bytes of memory that the process has written to, as the system counts them. Address space that was
/// allocated and never used is not included.
std::size_t used_memory() {
  std::ifstream status("/proc/self/smaps_rollup");
  for (std::string word; status >> word;)
    if (std::size_t kilobytes = 0; word == "Anonymous:" && status >> kilobytes) return kilobytes * 1024;
  throw std::runtime_error("the system does not count the memory of a process");
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_view_takes_little_memory_whatever_the_archive_is) {
  // Large blocks then come from the system, as in a new process, and not from memory that this one has used and that
  // malloc clears.
  ::mallopt(M_MMAP_THRESHOLD, 128 * 1024);
  const temporary_directory temporary;
  const bytes six = six_messages();
  const std::size_t messages = 6 * std::size_t{40'000};
  bytes data;
  for (std::size_t k = 0; k < messages; k += 6) data += six;
  const auto file = temporary.file("a.tgm", data);
  write_index(file);
  const std::string path = file.string();
  const tgmap::archive first(path);  // takes what a process needs once
  BOOST_TEST(first[0][0].view<float>()(1, 2) == 6);

  const std::size_t before = used_memory();
  const tgmap::archive archive(path);
  BOOST_TEST(archive.index_status().is_used);
  BOOST_TEST(archive[messages / 4 * 3][0].view<float>()(1, 2) == 6);
  BOOST_TEST(used_memory() - before <= 64 * 1024u);
}

BOOST_AUTO_TEST_CASE(a_search_takes_a_few_bits_a_message) {
  const temporary_directory temporary;
  const bytes six = six_messages();
  const std::size_t messages = 6 * std::size_t{40'000};
  bytes data;
  for (std::size_t k = 0; k < messages; k += 6) data += six;
  const auto file = temporary.file("a.tgm", data);
  write_index(file);
  const tgmap::archive archive(file);
  const tgmap::selection wanted("mars.param=2t and mars.step=6");
  watch_heap();
  const auto found = tgmap::indexed_selection::of_messages(archive, wanted);
  BOOST_TEST(found.count(tgmap::index_answer::yes) == messages / 6);
  BOOST_TEST(heap_peak() <= messages + 64 * 1024);
}

BOOST_AUTO_TEST_SUITE_END()
