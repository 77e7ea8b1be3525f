// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <tgmap/error.hpp>

namespace tgmap {
inline namespace v0 {

/// Runs pieces of work on several threads. The library asks for no more than this, so that a service can lend it the
/// threads it has.
class TGMAP_API executor {
 public:
  /// One piece of work: `run(context, number)`. Called from several threads at once, each number once; never throws.
  struct work {
    void (*run)(void* context, std::size_t number) noexcept = nullptr;
    void* context = nullptr;
  };

  executor() noexcept = default;
  executor(const executor&) = delete;
  executor& operator=(const executor&) = delete;
  virtual ~executor();

  /// How many pieces run at once at the most, the calling thread included; at least 1.
  virtual unsigned width() const noexcept = 0;

  /// Runs pieces 0 to `count` - 1, about in that order, and returns when all have ended. Any thread may call it, also
  /// one that is running a piece. It may run with fewer threads than `width()`, down to the caller alone, when the
  /// system has no more: that is no error.
  virtual void run(std::size_t count, work) noexcept = 0;
};

/// The threads of oneTBB where the build has it, else threads of its own that live as long as it does.
/// `threads` = 0: as many as this process may run at once; 1: the calling thread alone. Never null.
/// Errors: out_of_memory.
TGMAP_API std::unique_ptr<executor> make_executor(unsigned threads = 0);

/// The same, but always with threads of its own: `std::thread`.
TGMAP_API std::unique_ptr<executor> make_thread_executor(unsigned threads = 0);

/// One for the whole process, as `make_executor(0)` gives; made when it is first asked for.
TGMAP_API executor& shared_executor();

}  // namespace v0
}  // namespace tgmap
