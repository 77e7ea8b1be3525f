// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <tgmap/decode/executor.hpp>

namespace tgmap::parallel {

/// Returns true if this build has oneTBB. The build for the thread sanitizer has none: TBB is not instrumented, and the
/// false reports about it would hide real ones.
bool has_tbb() noexcept;

/// Returns an executor with threads of oneTBB, or null if this build has no oneTBB.
/// Errors: throws std::bad_alloc.
std::unique_ptr<executor> make_tbb_executor(unsigned threads);

/// A `task_queue` hands out the indices of one call of executor::run, in order, to any number of threads. Both
/// executors use it.
class task_queue {
 public:
  task_queue(std::size_t count, executor::task task) noexcept : count_(count), task_(task) {}

  /// Runs the task for indices that no thread has taken, until there are none left.
  void run() noexcept {
    for (std::size_t n; (n = next_.fetch_add(1, std::memory_order_relaxed)) < count_;) task_.run(task_.context, n);
  }

 private:
  const std::size_t count_;
  const executor::task task_;
  std::atomic<std::size_t> next_{0};
};

}  // namespace tgmap::parallel
