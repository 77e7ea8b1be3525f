// SPDX-License-Identifier: Apache-2.0
// The cache of open archives: what it keeps, and files that change.
#include <tgmap/decode/archive_cache.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <support/failures.hpp>
#include <support/samples.hpp>
#include <support/temporary.hpp>
#include <thread>
#include <vector>

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(archive_cache_test)

namespace {

tgmap::archive_file file_of(const std::filesystem::path& path) {
  return {.path = path, .state = tgmap::file_state::of(path)};
}

/// Sets the time of change of a file to the one that it had, and some nanoseconds.
void set_time(const std::filesystem::path& path, std::filesystem::file_time_type before, int nanoseconds) {
  std::filesystem::last_write_time(path, before + std::chrono::duration_cast<std::filesystem::file_time_type::duration>(
                                                      std::chrono::nanoseconds(nanoseconds)));
}

void overwrite(const std::filesystem::path& path, const bytes& contents) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file << contents;
}

}  // namespace

BOOST_AUTO_TEST_CASE(files_are_opened_once) {
  const temporary_directory files;
  const auto a = file_of(files.file("a.tgm", numbered_archive(3))), b = file_of(files.file("b.tgm", numbered(7)));
  tgmap::archive_cache cache;
  for (int i = 0; i < 3; ++i) {
    BOOST_TEST(cache.open(a).size() == 3u);
    BOOST_TEST(cache.open(b).size() == 1u);
  }
  BOOST_TEST(cache.opened() == 2u);
  BOOST_TEST(cache.open_count() == 2u);
  BOOST_TEST((cache.open(a).mode() == tgmap::io_mode::read));
  const tgmap::archive kept = cache.open(a);
  cache.clear();
  BOOST_TEST(cache.open_count() == 0u);
  BOOST_TEST(kept.size() == 3u);  // a handle keeps it open
  BOOST_TEST(cache.open(a).size() == 3u);
  BOOST_TEST(cache.opened() == 3u);
}

BOOST_AUTO_TEST_CASE(the_ones_used_last_are_kept) {
  const temporary_directory files;
  std::vector<tgmap::archive_file> all;
  for (unsigned n = 0; n < 5; ++n) all.push_back(file_of(files.file(std::to_string(n), numbered(n))));
  tgmap::archive_cache cache(3);
  for (const int n : {0, 1, 2, 0, 3, 0, 4}) BOOST_TEST(cache.open(all[static_cast<std::size_t>(n)]).size() == 1u);
  BOOST_TEST(cache.opened() == 5u);  // 0 was used between the others
  BOOST_TEST(cache.open_count() == 3u);
  (void)cache.open(all[1]);  // was dropped
  BOOST_TEST(cache.opened() == 6u);
  cache.set_max_open(1);
  BOOST_TEST(cache.open_count() == 1u);
  (void)cache.open(all[1]);
  BOOST_TEST(cache.opened() == 6u);
  cache.set_max_open(0);
  BOOST_TEST(cache.max_open() == 1u);
}

BOOST_AUTO_TEST_CASE(parts_of_a_file_are_archives_of_their_own) {
  const temporary_directory files;
  const bytes first = numbered(1), second = numbered(22);
  auto file = file_of(files.file("a", first + second));
  tgmap::archive_cache cache;
  BOOST_TEST(cache.open(file).size() == 2u);
  file.offset = first.size();
  BOOST_TEST(cache.open(file).size_bytes() == second.size());
  file.offset = 0;
  file.length = first.size();
  BOOST_TEST(cache.open(file).size_bytes() == first.size());
  BOOST_TEST(cache.open_count() == 3u);
}

BOOST_AUTO_TEST_CASE(files_that_change_are_not_read) {
  const temporary_directory files;
  const bytes contents = numbered_archive(2);
  const auto path = files.file("a.tgm", contents);
  const auto time = std::filesystem::last_write_time(path);
  const tgmap::archive_file known = file_of(path);
  tgmap::archive_cache cache;
  BOOST_TEST(cache.open(known).size() == 2u);
  overwrite(path, numbered_archive(2));  // in place, with the same size
  set_time(path, time, 1000);
  tgmap::failure why;
  BOOST_TEST(!cache.open(known, why));
  BOOST_TEST(why.code == errc::archive_changed);
  BOOST_TEST(why.found - why.expected == 1000u);
  BOOST_TEST(why.text().find("time of change") != std::string::npos);
  BOOST_TEST(cache.open(file_of(path)).size() == 2u);
  BOOST_TEST(!cache.open(known, why));

  std::ofstream(path, std::ios::app | std::ios::binary) << numbered(9);
  BOOST_TEST(!cache.open(known, why));
  BOOST_TEST(why.expected == contents.size());
  BOOST_TEST(why.found == contents.size() + numbered(9).size());
  BOOST_TEST(cache.open(file_of(path)).size() == 3u);
  BOOST_TEST(cache.open_count() == 1u);
  std::filesystem::remove(path);
  BOOST_TEST(!cache.open(known, why));
  BOOST_TEST((why.code == std::errc::no_such_file_or_directory));
  BOOST_CHECK_EXCEPTION(cache.open(known), tgmap::error, [&](const tgmap::error& thrown) {
    return std::string(thrown.what()).find(path.string()) != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(another_file_of_the_same_state_is_noticed) {
  const temporary_directory files;
  const auto path = files.file("a.tgm", numbered(1)), other = files.file("b.tgm", numbered(2));
  const auto time = std::filesystem::last_write_time(path);
  std::filesystem::last_write_time(other, time);
  const tgmap::archive_file known = file_of(path);
  tgmap::archive_cache cache;
  BOOST_TEST(cache.open(known).size() == 1u);
  std::filesystem::rename(other, path);
  tgmap::failure why;
  BOOST_TEST(!cache.open(known, why));
  BOOST_TEST(why.code == errc::archive_changed);
  BOOST_TEST(why.expected != why.found);
  BOOST_TEST(why.text().find("another file") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(threads_share_the_cache) {
  const temporary_directory files;
  std::vector<tgmap::archive_file> all;
  for (unsigned n = 0; n < 8; ++n) all.push_back(file_of(files.file(std::to_string(n), numbered(n))));
  tgmap::archive_cache cache(3);
  std::atomic<unsigned> wrong{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (unsigned i = 0; i < 200; ++i) {
        const unsigned n = (i * (t + 1)) % 8;
        const tgmap::archive opened = cache.open(all[n]);
        if (opened.at_offset(0).base(0).get<std::uint64_t>("n") != n) ++wrong;
      }
    });
  for (std::thread& each : threads) each.join();
  BOOST_TEST(wrong == 0u);
  BOOST_TEST(cache.open_count() <= 3u);
}

BOOST_AUTO_TEST_CASE(the_child_of_a_fork_has_its_own) {
  const temporary_directory files;
  const auto file = file_of(files.file("a.tgm", numbered(1)));
  tgmap::archive_cache& own = tgmap::archive_cache::of_process();
  (void)own.open(file);
  BOOST_TEST(own.open_count() == 1u);
  const pid_t child = ::fork();
  if (child == 0) {
    tgmap::archive_cache& its = tgmap::archive_cache::of_process();
    const bool is_right = its.open_count() == 0 && its.open(file).size() == 1 && its.open_count() == 1;
    ::_exit(is_right ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  BOOST_TEST(status == 0);
  BOOST_TEST(&tgmap::archive_cache::of_process() == &own);
}

BOOST_AUTO_TEST_SUITE_END()
