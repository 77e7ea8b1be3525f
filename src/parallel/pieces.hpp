// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <tgmap/decode/executor.hpp>

namespace tgmap::parallel {

/// The pieces of one call of executor::run, dealt out in order to whichever threads come.
class pieces {
 public:
  pieces(std::size_t count, executor::task what) noexcept : count_(count), what_(what) {}

  /// Runs those that nobody has taken yet, one after another, until there are none.
  void take() noexcept {
    for (std::size_t n; (n = next_.fetch_add(1, std::memory_order_relaxed)) < count_;) what_.run(what_.context, n);
  }

 private:
  const std::size_t count_;
  const executor::task what_;
  std::atomic<std::size_t> next_{0};
};

}  // namespace tgmap::parallel
