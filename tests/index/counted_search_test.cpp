// SPDX-License-Identifier: Apache-2.0
// What opening by an index and searching in its columns read, counted by the system.
#include <boost/test/unit_test.hpp>
#include <support/process/read_bytes.hpp>
#include <support/samples.hpp>
#include <support/selection_samples.hpp>

#include "indexed.hpp"

using namespace tgmap_test;
using tgmap::selection;

BOOST_AUTO_TEST_SUITE(counted_search_test)

namespace {

constexpr std::size_t page = 4096;

struct searched {
  temporary_directory temporary{};
  std::filesystem::path file;
  std::size_t messages = 0;

  explicit searched(std::size_t rounds) {
    bytes data;
    const bytes six = six_messages();
    for (std::size_t k = 0; k < rounds; ++k) data += six;
    data += two_named_objects();
    messages = rounds * 6 + 1;
    file = temporary.file("a.tgm", data);
    tgmap::memory_sink to;
    tgmap::create_index(tgmap::archive(file), to, {.keys = {"unit"}});  // which one message has
    write_file(index_path(file), bytes(view_of(to.release())));
  }
  tgmap::archive opened() const { return tgmap::archive(file, {.guard = tgmap::guard_use::never}); }
};

/// Returns the bytes that `work` reads from files.
template <class F>
std::uint64_t read_by(F&& work) {
  const std::uint64_t before = bytes_read();
  work();
  const std::uint64_t own = bytes_read();  // reading the count takes a read
  return own - before - (bytes_read() - own);
}

}  // namespace

BOOST_AUTO_TEST_CASE(opening_reads_a_few_pages_whatever_the_archive_is) {
  if (bytes_read() == 0) return;  // the system does not count
  for (const std::size_t rounds : {50u, 5000u}) {
    const searched all(rounds);
    const auto read = read_by([&] { static_cast<void>(all.opened()); });
    BOOST_TEST(read <= 10 * page, rounds << ": " << read);
  }
}

BOOST_AUTO_TEST_CASE(one_view_reads_three_pages_more) {
  if (bytes_read() == 0) return;
  const searched all(5000);
  const auto archive = all.opened();
  const auto read = read_by([&] { BOOST_TEST(archive[20'000][0].view<float>()(1, 2) == 6); });
  BOOST_TEST(read <= 6 * page, read);
}

BOOST_AUTO_TEST_CASE(a_search_reads_its_columns_and_what_it_finds) {
  if (bytes_read() == 0) return;
  const searched all(5000);
  const auto archive = all.opened();
  const selection one("unit=K"), tenth("mars.step=6 and mars.param=10u");
  std::size_t found = 0;
  const auto few = read_by([&] {
    for (const auto& each : archive.find(one)) found += each.index;
  });
  BOOST_TEST(found == all.messages - 1);
  BOOST_TEST(few <= 24 * page, few);
  // Each of two columns of 30,000 messages takes at most a byte a message.
  std::uint64_t count = 0;
  const auto many =
      read_by([&] { count = tgmap::indexed_selection::of_messages(archive, tenth).count(tgmap::index_answer::yes); });
  BOOST_TEST(count == 5000u);
  BOOST_TEST(many <= 24 * page + 2 * 30'000, many);
}

BOOST_AUTO_TEST_SUITE_END()
