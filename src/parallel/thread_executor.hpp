// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <tgmap/decode/executor.hpp>
#include <thread>
#include <vector>

#include "parallel/pieces.hpp"

namespace tgmap::parallel {

/// Threads of its own. Each call of run() is a job; threads join the oldest job that still has pieces. The caller works
/// at its own job alone and then waits for the pieces that others have begun, so that calls from inside a piece end:
/// whoever waits, waits for pieces that are being run.
class thread_executor final : public executor {
 public:
  explicit thread_executor(unsigned width);
  ~thread_executor() override;

  unsigned concurrency() const noexcept override { return width_; }
  void run(std::size_t count, task) noexcept override;

 private:
  struct job {
    pieces left;
    std::size_t helpers = 0;  ///< threads at it, besides the caller
    job* next = nullptr;
  };
  void publish(job&, std::size_t helpers) noexcept;
  void withdraw(const job&) noexcept;
  bool start_one() noexcept;
  void serve() noexcept;

  const unsigned width_;
  std::mutex mutex_;
  std::condition_variable wanted_;  ///< a job came, or the end
  std::condition_variable left_;    ///< the last helper left a job
  job* oldest_ = nullptr;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace tgmap::parallel
