// SPDX-License-Identifier: Apache-2.0
// Executors for tests, as services may have.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <tgmap/decode/executor.hpp>
#include <thread>
#include <vector>

namespace tgmap_test {

/// Calls `each(index)` on an executor.
template <class F>
void run_on(tgmap::executor& on, std::size_t count, F&& each) {
  on.run(count, {[](void* f, std::size_t i) noexcept { (*static_cast<std::remove_reference_t<F>*>(f))(i); }, &each});
}

/// A `separate_thread` runs all tasks on one other thread. It calls a function before each run.
class separate_thread final : public tgmap::executor {
 public:
  explicit separate_thread(
      unsigned width, std::function<void()> before = [] {})
      : width_(width), before_(std::move(before)) {}
  unsigned concurrency() const noexcept override { return width_; }
  void run(std::size_t count, task task) noexcept override {
    before_();
    std::thread([=] {
      for (std::size_t i = 0; i < count; ++i) task.run(task.context, i);
    }).join();
  }

 private:
  unsigned width_;
  std::function<void()> before_;
};

/// A `calling_thread` reports many threads, but runs all tasks in the calling thread.
class calling_thread final : public tgmap::executor {
 public:
  unsigned concurrency() const noexcept override { return 8; }
  void run(std::size_t count, task task) noexcept override {
    for (std::size_t i = 0; i < count; ++i) task.run(task.context, i);
  }
};

struct named_executor {
  std::string name;
  std::unique_ptr<tgmap::executor> on;
};

inline std::vector<named_executor> all_executors() {
  std::vector<named_executor> out;
  for (const unsigned threads : {1u, 2u, 4u, 0u}) {
    out.push_back({"own threads, " + std::to_string(threads), tgmap::make_thread_executor(threads)});
    out.push_back({"default, " + std::to_string(threads), tgmap::make_executor(threads)});
  }
  out.push_back({"separate thread", std::make_unique<separate_thread>(3)});
  out.push_back({"calling thread", std::make_unique<calling_thread>()});
  return out;
}

}  // namespace tgmap_test
