// SPDX-License-Identifier: Apache-2.0
#include "parallel/tbb_executor.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <exception>
#include <mutex>

namespace tgmap::parallel {

namespace {

/// A `tbb_executor` is an arena among the threads of oneTBB that the whole process shares. Indices are not tasks of
/// TBB, which would begin them from both ends; each task of TBB runs the queue instead.
class tbb_executor final : public executor {
 public:
  explicit tbb_executor(unsigned threads) : threads_(limited(threads)), arena_(static_cast<int>(threads_)) {}

  unsigned concurrency() const noexcept override { return threads_; }

  void run(std::size_t count, task task) noexcept override {
    task_queue queue(count, task);
    const std::size_t threads = std::min<std::size_t>(count, threads_);
    if (threads > 1 && start()) try {
        arena_.execute([&] {
          // Isolated: a thread that waits here runs no other task, as executor::run promises.
          tbb::this_task_arena::isolate([&] {
            tbb::parallel_for(
                std::size_t{0}, threads, [&](std::size_t) { queue.run(); }, tbb::simple_partitioner());
          });
        });
      } catch (const std::exception&) {  // TBB had no memory for its tasks
      }
    queue.run();  // indices that remain after such an error, or after the tasks around this call were cancelled
  }

 private:
  /// Starts the arena at the first call. Returns false if it could not start. It is not asked again: after an exception
  /// there, TBB would wait for ever for the call that failed.
  bool start() noexcept {
    std::call_once(started_, [&]() noexcept {
      try {
        arena_.initialize();
        is_usable_ = true;
      } catch (const std::exception&) {
      }
    });
    return is_usable_;
  }

  /// Returns at most the number of threads that TBB has. TBB prints a warning if an arena is larger.
  static unsigned limited(unsigned threads) {
    using limit = tbb::global_control;
    const std::size_t max = limit::active_value(limit::max_allowed_parallelism);
    return static_cast<unsigned>(std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(max, 1)));
  }

  const unsigned threads_;
  tbb::task_arena arena_;
  std::once_flag started_{};
  bool is_usable_ = false;
};

}  // namespace

bool has_tbb() noexcept { return true; }

std::unique_ptr<executor> make_tbb_executor(unsigned threads) { return std::make_unique<tbb_executor>(threads); }

}  // namespace tgmap::parallel
