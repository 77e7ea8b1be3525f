// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <tgmap/export.hpp>

namespace tgmap {
inline namespace v0 {

/// Runs pieces of work on several threads. The library asks for no more than this, so that a service can lend it the
/// threads it has.
class TGMAP_API executor {
 public:
  /// One piece of work: `run(context, number)`. Called from several threads at once, each number once; never throws.
  struct task {
    void (*run)(void* context, std::size_t number) noexcept = nullptr;
    void* context = nullptr;
  };

  executor() noexcept = default;
  executor(const executor&) = delete;
  executor& operator=(const executor&) = delete;
  virtual ~executor();

  /// How many pieces of one call of run() are under way at once at the most; at least 1.
  virtual unsigned concurrency() const noexcept = 0;

  /// Runs pieces 0 to `count` - 1, begun about in that order, and returns when all have ended. Any thread may call it,
  /// also one that is running a piece; until the call returns, that thread runs no pieces of other calls, for it holds
  /// what its own piece needs. No piece waits for one that has not begun. Fewer threads than `width()` may run them,
  /// down to one, when the system has no more: that is no error.
  virtual void run(std::size_t count, task) noexcept = 0;
};

/// The threads of oneTBB where the build has it, else threads of its own, which start when they are first needed and
/// live as long as it does. The caller of run() is one of them.
/// `threads` = 0: as many as this process may run at once; 1: the calling thread alone. oneTBB gives no more than it
/// has been told to have, by default as many as there are processors. Never null. Errors: out_of_memory.
TGMAP_API std::unique_ptr<executor> make_executor(unsigned threads = 0);

/// The same, but always with threads of its own: `std::thread`.
TGMAP_API std::unique_ptr<executor> make_thread_executor(unsigned threads = 0);

/// One for the whole process, as `make_executor(0)` gives; made when it is first asked for, and never destroyed: it may
/// be used as late as in destructors of static objects. After `fork()` the child must not use it.
TGMAP_API executor& shared_executor();

}  // namespace v0
}  // namespace tgmap
