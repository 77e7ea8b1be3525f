// SPDX-License-Identifier: Apache-2.0
#include <tgmap/decode/executor.hpp>

#if defined(__linux__)
#include <sched.h>
#endif

#include <algorithm>
#include <thread>

#include "parallel/executors.hpp"
#include "parallel/thread_executor.hpp"

namespace tgmap {

unsigned parallel::usable_processors() noexcept {
#if defined(__linux__)
  cpu_set_t set;  // less than the machine has under taskset and in containers
  if (sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
#endif
  return std::max(1U, std::thread::hardware_concurrency());
}

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
