// SPDX-License-Identifier: Apache-2.0
// Executors work with fewer threads if the system has no more.
#include "executors.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(few_threads_test)

namespace {

enum exit_as { done = 0, pieces_missing = 10, no_limit = 11, limit_did_not_hold = 12 };

/// Runs with address space for the stacks of only some threads. Needs a process of its own.
exit_as run_with_little_memory() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t stack = 8 << 20, address_space = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + 3 * stack;
  const rlimit stacks{stack, stack}, all{address_space, address_space};
  if (setrlimit(RLIMIT_STACK, &stacks) != 0 || setrlimit(RLIMIT_AS, &all) != 0) return no_limit;
  std::atomic<int> ran{0};
  const auto on = tgmap::make_thread_executor(500);
  for (int again = 0; again < 3; ++again) run_on(*on, 1000, [&](std::size_t) { ++ran; });
  const auto threads = std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
  if (threads >= 500) return limit_did_not_hold;
  return ran == 3000 ? done : pieces_missing;
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_tasks_run) {
  const pid_t child = fork();
  BOOST_TEST_REQUIRE(child >= 0);
  if (child == 0) _exit(run_with_little_memory());
  int status = 0;
  BOOST_TEST_REQUIRE(waitpid(child, &status, 0) == child);
  BOOST_TEST_REQUIRE(WIFEXITED(status));
  BOOST_TEST(WEXITSTATUS(status) == done);
}

BOOST_AUTO_TEST_SUITE_END()
