// SPDX-License-Identifier: Apache-2.0
// How many system calls and page faults a mapped archive costs: few to open it, few to scan it, and none for what was
// touched before.
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <boost/test/unit_test.hpp>
#include <support/numbered.hpp>
#include <support/system_calls.hpp>
#include <support/temporary.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(counted_calls_test)

namespace {

constexpr tgmap::open_options map_mode{.io = tgmap::io_mode::map};

std::filesystem::path write_archive(const temporary_directory& in, unsigned messages) {
  return in.file("a.tgm", several(0, messages, 20'000));
}

/// Runs `check(calls)` on those that `body` makes behind `before`.
template <class F>
void check_calls(const std::function<void()>& before, const std::function<void()>& body, F&& check) {
  if (const auto made = calls_in(before, body))
    check(*made);
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

BOOST_AUTO_TEST_CASE(calls_are_counted_so_that_this_test_can_fail) {
  check_calls([] {}, [] { ::sched_yield(), ::sched_yield(); },
              [](const calls& made) {
                BOOST_TEST((made == calls{{SYS_sched_yield, 2}}));
              });
}

BOOST_AUTO_TEST_CASE(opening_takes_as_many_calls_whatever_there_is_to_open) {
  for (const unsigned messages : {1u, 100u}) {
    const temporary_directory temporary;
    const auto path = write_archive(temporary, messages);
    std::optional<tgmap::archive> archive;
    check_calls([] {}, [&] { archive.emplace(path, map_mode); },
                [](calls made) {
                  BOOST_TEST(made[SYS_openat] == 1u);
                  BOOST_TEST(made[SYS_mmap] == 1u);
                  BOOST_TEST(made[SYS_pread64] == 0u);
                  BOOST_TEST(sum(made) <= 4u);  // and fstat; perhaps brk
                });
  }
}

BOOST_AUTO_TEST_CASE(a_scan_takes_about_a_read_a_message_and_then_none) {
  const temporary_directory temporary;
  const auto path = write_archive(temporary, 100);
  const tgmap::archive archive(path, map_mode);
  check_calls([] {}, [&] { (void)archive.size(); }, [](const calls& made) { BOOST_TEST(sum(made) <= 100u + 8u); });
  check_calls([&] { (void)archive.size(); }, [&] { (void)archive.size(); },
              [](const calls& made) { BOOST_TEST(sum(made) == 0u); });
}

BOOST_AUTO_TEST_CASE(what_was_touched_before_takes_no_call_and_no_fault) {
  const temporary_directory temporary;
  const auto path = write_archive(temporary, 100);
  const tgmap::archive archive(path, map_mode);
  BOOST_TEST(archive.size() == 100u);
  std::uint64_t sums = 0;
  check_calls([&] { sums += touch_all(archive); },
              [&] {
                for (std::size_t i = 0; i < 100; ++i) sums += archive[i][0].payload().size();
              },
              [](const calls& made) { BOOST_TEST(sum(made) == 0u); });

  sums += touch_all(archive);
  sums += touch_all(archive);  // the code as well
  const long before = faults();
  std::uint64_t again = 0;
  for (std::size_t i = 0; i < 100; ++i) again += static_cast<std::uint64_t>(archive[i][0].payload()[0]);
  BOOST_TEST(faults() == before);
  BOOST_TEST(sums + again > 0u);
}

BOOST_AUTO_TEST_CASE(a_guard_is_asked_for_once_an_archive_and_not_by_accesses) {
  const temporary_directory temporary;
  const auto path = write_archive(temporary, 100);
  std::optional<tgmap::archive> archive;
  std::uint64_t sums = 0;
  const auto open = [&] {
    (void)tgmap::mapping_guard::install();
    archive.emplace(path, map_mode);
  };
  check_calls([] { (void)tgmap::mapping_guard::install(); }, [&] { archive.emplace(path, map_mode); },
              [](calls made) {
                BOOST_TEST(made[SYS_rt_sigaction] == 1u);
                BOOST_TEST(made[SYS_rt_sigprocmask] == 1u);
              });
  // Through the mapping, what was not touched before takes none either.
  check_calls([&] { open(), (void)archive->size(); }, [&] { sums += touch_all(*archive); },
              [](const calls& made) { BOOST_TEST(sum(made) == 0u); });
  check_calls([&] { open(), sums += touch_all(*archive); }, [&] { sums += touch_all(*archive); },
              [](const calls& made) { BOOST_TEST(sum(made) == 0u); });
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
              [](calls made) {
                BOOST_TEST(made[SYS_rt_sigaction] == 0u);
                BOOST_TEST(made[SYS_pread64] > 0u);
              });
}

BOOST_AUTO_TEST_CASE(faults_are_counted_so_that_this_test_can_fail) {
  constexpr std::size_t size = 1 << 16;
  void* const fresh = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  BOOST_REQUIRE(fresh != MAP_FAILED);
  const long before = faults();
  for (std::size_t at = 0; at < size; at += 4096) static_cast<volatile char*>(fresh)[at] = 1;
  BOOST_TEST(faults() > before);
  ::munmap(fresh, size);
}

BOOST_AUTO_TEST_SUITE_END()
