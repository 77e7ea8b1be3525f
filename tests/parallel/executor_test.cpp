// SPDX-License-Identifier: Apache-2.0
// The contract of executors.
#include "executors.hpp"

#include <array>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <mutex>
#include <numeric>
#include <set>
#include <support/rounds.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(executor_test)

BOOST_AUTO_TEST_CASE(each_index_runs_once) {
  for (const auto& [name, on] : all_executors())
    BOOST_TEST_CONTEXT(name) for (const std::size_t count : {0u, 1u, 2u, 3u, 10000u}) {
      std::vector<std::atomic<int>> times(count);
      run_on(*on, count, [&](std::size_t i) { ++times[i]; });
      BOOST_TEST(std::ranges::all_of(times, [](const auto& n) { return n == 1; }));
    }
}

BOOST_AUTO_TEST_CASE(results_of_tasks_are_visible_afterwards) {
  for (const auto& [name, on] : all_executors()) BOOST_TEST_CONTEXT(name) {
      std::vector<std::size_t> squares(1000);
      run_on(*on, squares.size(), [&](std::size_t i) { squares[i] = i * i; });
      BOOST_TEST(std::accumulate(squares.begin(), squares.end(), std::size_t{0}) == 332833500u);
    }
}

BOOST_AUTO_TEST_CASE(concurrency_is_as_requested_and_at_least_one) {
  for (const unsigned threads : {1u, 2u, 5u}) {
    BOOST_TEST(tgmap::make_executor(threads)->concurrency() <= threads);
    BOOST_TEST(tgmap::make_executor(threads)->concurrency() >= 1u);
    BOOST_TEST(tgmap::make_thread_executor(threads)->concurrency() == threads);
  }
  BOOST_TEST(tgmap::make_executor()->concurrency() >= 1u);
  BOOST_TEST(tgmap::shared_executor().concurrency() == tgmap::make_thread_executor()->concurrency());
  BOOST_TEST(&tgmap::shared_executor() == &tgmap::shared_executor());
}

BOOST_AUTO_TEST_CASE(concurrency_is_not_exceeded) {
  for (const auto& [name, on] : all_executors()) BOOST_TEST_CONTEXT(name) {
      std::atomic<unsigned> now{0}, most{0};
      run_on(*on, 200, [&](std::size_t) {
        const unsigned here = ++now;
        for (unsigned seen = most; seen < here && !most.compare_exchange_weak(seen, here);) {
        }
        std::this_thread::yield();
        --now;
      });
      BOOST_TEST(most <= on->concurrency());
    }
}

BOOST_AUTO_TEST_CASE(one_thread_runs_all_in_order) {
  for (const auto& on : {tgmap::make_executor(1), tgmap::make_thread_executor(1)}) {
    std::vector<std::size_t> seen;
    std::set<std::thread::id> threads;
    run_on(*on, 100, [&](std::size_t i) {
      seen.push_back(i);
      threads.insert(std::this_thread::get_id());
    });
    BOOST_TEST(std::ranges::is_sorted(seen));
    BOOST_TEST(seen.size() == 100u);
    BOOST_TEST((threads == std::set{std::this_thread::get_id()}));
  }
}

BOOST_AUTO_TEST_CASE(indices_are_begun_in_order) {
  // The lowest index that has not begun is at most the concurrency below the highest one that has.
  for (const auto& on : {tgmap::make_executor(3), tgmap::make_thread_executor(3)}) {
    std::vector<std::atomic<bool>> begun(2000);
    std::atomic<bool> early{false};
    run_on(*on, begun.size(), [&](std::size_t i) {
      begun[i] = true;
      for (std::size_t before = 0; before + 3 <= i; before += 7)
        if (!begun[before]) {
          // A thread has taken it, but not reported it yet.
          const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(60);
          while (!begun[before] && std::chrono::steady_clock::now() < patience) std::this_thread::yield();
          if (!begun[before]) early = true;
        }
    });
    BOOST_TEST(!early);
  }
}

BOOST_AUTO_TEST_CASE(two_threads_work_concurrently) {
  // Each of two tasks waits for the other one. TBB has one thread for each processor.
  const auto on = tgmap::make_thread_executor(2);
  std::atomic<int> there{0};
  run_on(*on, 2, [&](std::size_t) {
    ++there;
    while (there != 2) std::this_thread::yield();
  });
  BOOST_TEST(there == 2);
}

BOOST_AUTO_TEST_CASE(tasks_may_call_run) {
  for (const auto& [name, on] : all_executors()) BOOST_TEST_CONTEXT(name) {
      std::atomic<int> done{0};
      run_on(*on, 20, [&, &pool = *on](std::size_t) {
        run_on(pool, 20, [&](std::size_t) { run_on(pool, 20, [&](std::size_t) { ++done; }); });
      });
      BOOST_TEST(done == 8000);
    }
}

BOOST_AUTO_TEST_CASE(waiting_thread_runs_no_other_task) {
  for (const auto& [name, on] : all_executors()) BOOST_TEST_CONTEXT(name) {
      static thread_local int outer = 0;
      std::atomic<bool> twice{false};
      run_on(*on, 64, [&, &pool = *on](std::size_t) {
        if (++outer != 1) twice = true;
        run_on(pool, 8, [](std::size_t) { std::this_thread::yield(); });
        --outer;
      });
      BOOST_TEST(!twice);
    }
}

BOOST_AUTO_TEST_CASE(several_threads_call_run) {
  for (const auto& [name, on] : all_executors()) BOOST_TEST_CONTEXT(name) {
      std::array<std::atomic<int>, 6> done{};
      std::vector<std::thread> callers;
      for (auto& mine : done)
        callers.emplace_back([&, &pool = *on] {
          for (int again = 0; again < rounds(50); ++again) run_on(pool, 40, [&](std::size_t) { ++mine; });
        });
      for (std::thread& each : callers) each.join();
      for (const auto& mine : done) BOOST_TEST(mine == 40 * rounds(50));
    }
}

BOOST_AUTO_TEST_CASE(executors_are_created_and_destroyed) {
  for (int again = 0; again < 50; ++again) {
    const auto on = again % 2 ? tgmap::make_executor(3) : tgmap::make_thread_executor(3);
    std::atomic<int> done{0};
    if (again % 3) run_on(*on, 10, [&](std::size_t) { ++done; });
    BOOST_TEST(done == (again % 3 ? 10 : 0));
  }
}

BOOST_AUTO_TEST_SUITE_END()
