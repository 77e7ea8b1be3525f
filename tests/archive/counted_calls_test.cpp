// SPDX-License-Identifier: Apache-2.0
// The number of system calls and page faults of a mapped archive: few to open it, few to scan it, and none for objects
// accessed before.
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <limits>
#include <support/numbered.hpp>
#include <support/process/system_calls.hpp>
#include <support/temporary.hpp>
#include <tgmap/tools/index.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(counted_calls_test)

namespace {

constexpr tgmap::open_options map_mode{.io = tgmap::io_mode::map};

std::filesystem::path write_archive(const temporary_directory& in, unsigned messages) {
  return in.file("a.tgm", several(0, messages, 20'000));
}

/// Runs `before`, then `body`, and passes the system calls of `body` to `check`.
template <class F>
void check_calls(const std::function<void()>& before, const std::function<void()>& body, F&& check) {
  if (const auto counted = calls_in(before, body))
    check(*counted);
  else
    BOOST_TEST_MESSAGE("SKIPPED: system calls (processes may not be traced)");
}

/// Reads one element of every payload.
std::uint64_t touch_all(const tgmap::archive& archive) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < archive.scan_progress().messages; ++i)
    sum += static_cast<std::uint64_t>(archive[i][0].payload()[0]) + archive[i][0].descriptor().rank();
  return sum;
}

long faults() {
  rusage used{};
  ::getrusage(RUSAGE_THREAD, &used);
  return used.ru_minflt + used.ru_majflt;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_counter_counts_calls) {
  check_calls([] {}, [] { ::sched_yield(), ::sched_yield(); },
              [](const calls& counted) {
                BOOST_TEST((counted == calls{{SYS_sched_yield, 2}}));
              });
}

BOOST_AUTO_TEST_CASE(opening_takes_the_same_calls_for_any_archive) {
  for (const unsigned messages : {1u, 100u}) {
    const temporary_directory temporary;
    const auto path = write_archive(temporary, messages);
    std::optional<tgmap::archive> archive;
    check_calls([] {}, [&] { archive.emplace(path, map_mode); },
                [](calls counted) {
                  BOOST_TEST(counted[SYS_openat] == 2u);  // of the archive, and of an index beside it
                  BOOST_TEST(counted[SYS_mmap] == 1u);
                  BOOST_TEST(counted[SYS_pread64] == 0u);
                  BOOST_TEST(sum(counted) <= 5u);  // and fstat; possibly brk
                });
  }
}

BOOST_AUTO_TEST_CASE(a_scan_takes_about_one_read_per_message) {
  const temporary_directory temporary;
  const auto path = write_archive(temporary, 100);
  const tgmap::archive archive(path, map_mode);
  check_calls([] {}, [&] { (void)archive.size(); },
              [](const calls& counted) { BOOST_TEST(sum(counted) <= 100u + 8u); });
  check_calls([&] { (void)archive.size(); }, [&] { (void)archive.size(); },
              [](const calls& counted) { BOOST_TEST(sum(counted) == 0u); });
}

BOOST_AUTO_TEST_CASE(processes_with_the_bytes_of_an_index_do_not_scan) {
  const temporary_directory temporary;
  const auto path = write_archive(temporary, 1000);
  // By reads, so that each access to structure is a system call.
  const tgmap::open_options options{.io = tgmap::io_mode::map, .guard = tgmap::guard_use::never};
  tgmap::memory_sink to;
  tgmap::create_index(tgmap::archive(path, options), to);
  const std::vector<std::byte> index = to.release();
  std::optional<tgmap::archive> archive;
  std::vector<tgmap::archive_part> parts;
  check_calls([] {}, [&] { archive.emplace(path, index, options); },
              [](calls counted) {
                BOOST_TEST(counted[SYS_openat] == 1u);   // no search for an index
                BOOST_TEST(counted[SYS_pread64] <= 4u);  // samples
              });
  check_calls([&] { archive.emplace(path, index, options); }, [&] { parts = archive->partition(8); },
              [](calls counted) { BOOST_TEST(counted[SYS_pread64] <= 2 * 14u); });  // both messages at seven cuts
  BOOST_TEST(tgmap::archive(path, index, options).partition(8).size() == 8u);
}

BOOST_AUTO_TEST_CASE(repeated_access_takes_no_call_and_no_fault) {
  const temporary_directory temporary;
  const auto path = write_archive(temporary, 100);
  const tgmap::archive archive(path, map_mode);
  BOOST_TEST(archive.size() == 100u);
  std::uint64_t sums = 0;
  check_calls([&] { sums += touch_all(archive); },
              [&] {
                for (std::size_t i = 0; i < 100; ++i) sums += archive[i][0].payload().size();
              },
              [](const calls& counted) { BOOST_TEST(sum(counted) == 0u); });

  // The system may take a page away at any time, so the pass without a fault may be any of a few.
  long fewest = std::numeric_limits<long>::max();
  for (int pass = 0; pass < 8; ++pass) {
    const long before = faults();
    for (std::size_t i = 0; i < 100; ++i) sums += static_cast<std::uint64_t>(archive[i][0].payload()[0]);
    fewest = std::min(fewest, faults() - before);
  }
  BOOST_TEST(fewest == 0);
  BOOST_TEST(sums > 0u);
}

BOOST_AUTO_TEST_CASE(cached_views_and_metadata_read_nothing) {
  const temporary_directory temporary;
  message_spec two;  // each message gets a record
  two.objects = {numbers_object("float32", {1.0f, 2.0f}), numbers_object("float32", {3.0f, 4.0f})};
  const auto path = temporary.file("a.tgm", several(0, 20, 300) + message(two));
  // By reads, so that each access to structure is a system call.
  const tgmap::archive archive(path, {.io = tgmap::io_mode::map, .guard = tgmap::guard_use::never});
  std::uint64_t sums = 0;
  const auto ask = [&](const tgmap::archive& of) {
    for (std::size_t i = 0; i < 20; ++i)
      sums += of[i][0].view<std::uint8_t>().size() + of[i][0].metadata().entries().size();
    for (std::size_t j = 0; j < 2; ++j) sums += of[20][j].view<float>().size() + of[20][j].metadata().entries().size();
  };
  check_calls([] {}, [&] { ask(archive); }, [](calls counted) { BOOST_TEST(counted[SYS_pread64] > 20u); });
  check_calls([&] { ask(archive); }, [&] { ask(archive); },
              [](calls counted) { BOOST_TEST(counted[SYS_pread64] + counted[SYS_preadv2] == 0u); });
}

BOOST_AUTO_TEST_CASE(a_few_accesses_are_reads_and_install_no_handler) {
  const temporary_directory temporary;
  const auto path = write_archive(temporary, 100);
  std::uint64_t sums = 0;
  for (const bool installed : {false, true})
    check_calls(
        [&] {
          if (installed) (void)tgmap::mapping_guard::install();
        },
        [&] {
          const tgmap::archive archive(path, map_mode);
          sums += archive[0][0].descriptor().rank() + archive[0][0].payload().size();
        },
        [](calls counted) {
          BOOST_TEST(counted[SYS_rt_sigaction] == 0u);
          BOOST_TEST(counted[SYS_rt_sigprocmask] == 0u);
          BOOST_TEST(counted[SYS_mmap] == 1u);
          BOOST_TEST(counted[SYS_madvise] == 0u);
          BOOST_TEST(counted[SYS_pread64] > 0u);
        });
}

BOOST_AUTO_TEST_CASE(a_pass_over_many_objects_maps_the_file_once) {
  const temporary_directory temporary;
  const auto path = write_archive(temporary, 1000);
  std::optional<tgmap::archive> archive;
  std::uint64_t sums = 0;
  for (const bool installed : {false, true}) {
    const auto begin = [&] {
      if (installed) (void)tgmap::mapping_guard::install();
      archive.emplace(path, map_mode);
    };
    check_calls(
        begin, [&] { sums += archive->size(); },
        [&](calls counted) {
          BOOST_TEST(counted[SYS_mmap] >= 1u);
          BOOST_TEST(counted[SYS_pread64] + counted[SYS_preadv2] <= 80u);
          // Three calls: to check for a handler, to set one, and to check it.
          BOOST_TEST(counted[SYS_rt_sigaction] >= 1u);
          BOOST_TEST(counted[SYS_rt_sigaction] <= (installed ? 3u : 5u));
        });
    // After that, neither the first nor any later access takes a call.
    check_calls([&] { begin(), (void)archive->size(); }, [&] { sums += touch_all(*archive); },
                [](const calls& counted) { BOOST_TEST(sum(counted) <= 8u); });  // of the allocator
    check_calls([&] { begin(), (void)archive->size(), sums += touch_all(*archive); },
                [&] { sums += touch_all(*archive); }, [](const calls& counted) { BOOST_TEST(sum(counted) == 0u); });
  }
}

BOOST_AUTO_TEST_CASE(a_guard_that_an_archive_must_not_use_is_not_used) {
  const temporary_directory temporary;
  const auto path = write_archive(temporary, 100);
  std::optional<tgmap::archive> archive;
  std::uint64_t sums = 0;
  const auto use = [&] {
    archive.emplace(path, tgmap::open_options{.io = tgmap::io_mode::map, .guard = tgmap::guard_use::never});
    (void)archive->size();
    sums += touch_all(*archive);
  };
  check_calls([] { (void)tgmap::mapping_guard::install(); }, use,
              [](calls counted) {
                BOOST_TEST(counted[SYS_rt_sigaction] == 0u);
                BOOST_TEST(counted[SYS_pread64] > 0u);
              });
}

BOOST_AUTO_TEST_CASE(the_counter_counts_faults) {
  constexpr std::size_t size = 1 << 16;
  void* const fresh = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  BOOST_REQUIRE(fresh != MAP_FAILED);
  const long before = faults();
  for (std::size_t at = 0; at < size; at += 4096) static_cast<volatile char*>(fresh)[at] = 1;
  BOOST_TEST(faults() > before);
  ::munmap(fresh, size);
}

BOOST_AUTO_TEST_SUITE_END()
