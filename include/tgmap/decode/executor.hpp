// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <tgmap/export.hpp>

namespace tgmap {
inline namespace v0 {

/// An `executor` runs tasks on several threads. This interface is all that the library needs, so that a service can
/// provide its own threads.
class TGMAP_API executor {
 public:
  /// A function that is called once for each index, from several threads at once. It never throws.
  struct task {
    void (*run)(void* context, std::size_t index) noexcept = nullptr;
    void* context = nullptr;
  };

  executor() noexcept = default;
  executor(const executor&) = delete;
  executor& operator=(const executor&) = delete;
  virtual ~executor();

  /// Returns the maximum number of indices of one run() that are in progress at once; at least 1.
  virtual unsigned concurrency() const noexcept = 0;

  /// Calls the task with 0 to `count` - 1, begun in about that order, and returns when all calls have ended.
  ///
  /// Any thread may call run(), also from within a task. Until it returns, that thread runs no task of another run(),
  /// since its own task holds resources. No call of a task waits for one that has not begun. Fewer threads than
  /// concurrency() may do the work, down to one, if the system has no more; that is no error.
  virtual void run(std::size_t count, task) noexcept = 0;
};

/// Returns an executor with `threads` threads, of which the caller of run() is one. Never null.
///
/// 0 means as many threads as this process may run at once, and 1 the calling thread alone. Builds with oneTBB use its
/// threads, at most as many as oneTBB is set to have: by default one for each processor. Other builds use threads of
/// their own, which start at the first run() and live as long as the executor.
/// Errors: out_of_memory.
TGMAP_API std::unique_ptr<executor> make_executor(unsigned threads = 0);

/// Returns the same, but always with threads of its own (`std::thread`).
TGMAP_API std::unique_ptr<executor> make_thread_executor(unsigned threads = 0);

/// Returns the executor of the process, which `make_executor(0)` creates at the first call.
/// Lifetime: never destroyed, so that destructors of static objects may use it. After `fork()` the child must not use
/// it.
TGMAP_API executor& shared_executor();

}  // namespace v0
}  // namespace tgmap
