// SPDX-License-Identifier: Apache-2.0
#include <tgmap/decode/executor.hpp>

#if defined(__linux__)
#include <sched.h>
#endif

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "parallel/tbb_executor.hpp"

namespace tgmap {

namespace parallel {

namespace {

/// Returns the number of processors that this process may use; at least 1.
unsigned usable_processors() noexcept {
#if defined(__linux__)
  cpu_set_t set;  // fewer than the machine has under taskset and in containers
  if (sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
#endif
  return std::max(1U, std::thread::hardware_concurrency());
}

/// A `thread_executor` has threads of its own. Each call of run() is a job, and the threads join the oldest job that
/// has indices left. The caller of run() works on its own job only, and then waits for the indices that other threads
/// have begun. Nested calls of run() therefore always end: a waiting thread only waits for tasks that are running.
class thread_executor final : public executor {
 public:
  explicit thread_executor(unsigned threads) : concurrency_(std::max(1U, threads)) {
    threads_.reserve(concurrency_ - 1);
  }
  ~thread_executor() override;

  unsigned concurrency() const noexcept override { return concurrency_; }
  void run(std::size_t count, task) noexcept override;

 private:
  struct job {
    task_queue queue;
    std::size_t helpers = 0;  ///< threads that work on it, besides the caller
    job* next = nullptr;
  };
  void publish(job&, std::size_t helpers) noexcept;
  void withdraw(const job&) noexcept;
  bool start_thread() noexcept;
  void run_jobs() noexcept;

  const unsigned concurrency_;
  std::mutex mutex_;
  std::condition_variable job_added_;     ///< or the executor is destroyed
  std::condition_variable job_finished_;  ///< the last helper has left a job
  job* oldest_ = nullptr;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

thread_executor::~thread_executor() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  job_added_.notify_all();
  for (std::thread& each : threads_) each.join();
}

void thread_executor::run(std::size_t count, task task) noexcept {
  job own_job{.queue = {count, task}};
  const std::size_t helpers = std::min<std::size_t>(concurrency_, count) - (count != 0 ? 1 : 0);
  if (helpers == 0) return own_job.queue.run();
  publish(own_job, helpers);
  own_job.queue.run();
  std::unique_lock lock(mutex_);
  withdraw(own_job);
  job_finished_.wait(lock, [&] { return own_job.helpers == 0; });
}

void thread_executor::publish(job& own_job, std::size_t helpers) noexcept {
  {
    const std::lock_guard lock(mutex_);
    while (threads_.size() < helpers && start_thread()) {
    }
    job** end = &oldest_;
    while (*end != nullptr) end = &(*end)->next;
    *end = &own_job;
  }
  for (std::size_t i = 0; i < helpers; ++i) job_added_.notify_one();
}

void thread_executor::withdraw(const job& done) noexcept {
  for (job** at = &oldest_; *at != nullptr; at = &(*at)->next)
    if (*at == &done) {
      *at = done.next;
      return;
    }
}

/// Starts one more thread. Returns false if the system has none; the existing threads, or the caller alone, do the
/// work.
bool thread_executor::start_thread() noexcept try {
  threads_.emplace_back([this] { run_jobs(); });
  return true;
} catch (const std::system_error&) {
  return false;
} catch (const std::bad_alloc&) {
  return false;
}

void thread_executor::run_jobs() noexcept {
  std::unique_lock lock(mutex_);
  for (;;) {
    job_added_.wait(lock, [&] { return closing_ || oldest_ != nullptr; });
    if (oldest_ == nullptr) return;
    job& current = *oldest_;
    ++current.helpers;
    lock.unlock();
    current.queue.run();
    lock.lock();
    withdraw(current);  // it has no indices left
    if (--current.helpers == 0) job_finished_.notify_all();
  }
}

}  // namespace

}  // namespace parallel

inline namespace v0 {

executor::~executor() = default;

std::unique_ptr<executor> make_thread_executor(unsigned threads) {
  return std::make_unique<parallel::thread_executor>(threads != 0 ? threads : parallel::usable_processors());
}

std::unique_ptr<executor> make_executor(unsigned threads) {
  auto out = parallel::make_tbb_executor(threads != 0 ? threads : parallel::usable_processors());
  return out ? std::move(out) : make_thread_executor(threads);
}

executor& shared_executor() {
  static executor* const shared = make_executor().release();
  return *shared;
}

}  // namespace v0
}  // namespace tgmap
